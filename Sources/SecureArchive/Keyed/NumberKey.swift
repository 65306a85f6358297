/// A number that is the key of a dictionary, as the text that a tree has for it. The text says
/// which kind of number it is, and no number has two of them.
enum NumberKey {
    /// Nil for what is no number that may be a key. What is not finite may be none: it is not
    /// always itself.
    static func text(of value: ArchiveValue) -> String? {
        switch value {
        case .integer(let integer): integer.description
        case .real(let real) where real.isFinite: real.value.description
        default: nil
        }
    }

    /// Nil for a text that the tree has for no number.
    static func number(of text: String) -> ArchiveValue? {
        let value: ArchiveValue? =
            if let integer = Int(text) {
                .integer(ArchiveInteger(integer))
            } else if let integer = UInt64(text) {
                .integer(ArchiveInteger(integer))
            } else {
                Double(text).flatMap { ArchiveReal($0) }.map { .real($0) }
            }
        return value.flatMap { Self.text(of: $0) == text ? $0 : nil }
    }
}
