extension ArchiveError {
    /// The error for a kind of value that a format has no word for.
    static func inexpressible(_ value: ArchiveValue, in format: String) -> Self {
        Self(.inexpressible, "\(format) can't say \(value.kindInWords)")
    }

    /// The same error with a place in the archive's bytes, unless it has one.
    func found(at position: Int) -> Self {
        Self(kind, detail, at: path, offset: offset ?? position)
    }
}
