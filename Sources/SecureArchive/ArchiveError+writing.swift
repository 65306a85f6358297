extension ArchiveError {
    /// That a format has no word for a kind of value.
    static func inexpressible(_ value: ArchiveValue, in format: String) -> Self {
        Self(.inexpressible, "\(format) can't say \(value.kindInWords)")
    }

    /// The same with a place in the archive's bytes, unless it has one.
    func found(at position: Int) -> Self {
        Self(kind, detail, at: path, offset: offset ?? position)
    }
}
