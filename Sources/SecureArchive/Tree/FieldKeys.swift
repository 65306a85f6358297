/// The keys of a dictionary, which dictionaries of the same keys share: thirty thousand characters of a game have one list of keys.
///
/// `@unchecked` because it is changed by ``ArchiveFields`` alone, and only where nobody else holds it.
final class FieldKeys: @unchecked Sendable {
    var strings: LiteralStrings

    static let none = FieldKeys(LiteralStrings())

    init(_ strings: LiteralStrings) {
        self.strings = strings
    }
}
