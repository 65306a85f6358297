/// A number that is the key of a dictionary, as the text in the tree. The text shows the kind of the number, and each
/// number has exactly one text.
enum NumberKey {
    /// The text; nil for a value that can't be a key. A number that is not finite can't: NaN never equals itself.
    static func text(of value: ArchiveValue) -> String? {
        switch value {
        case .integer(let integer): integer.description
        case .real(let real) where real.isFinite: real.value.description
        default: nil
        }
    }

    /// The number; nil for a text that a tree never has for a number.
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
