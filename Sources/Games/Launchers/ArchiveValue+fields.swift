import SecureArchive

extension ArchiveValue {
    /// The value of a key; nil if this is no dictionary.
    subscript(key: String) -> ArchiveValue? {
        if case .dictionary(let fields) = self { fields[key] } else { nil }
    }

    /// The text of a key.
    func string(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }
}
