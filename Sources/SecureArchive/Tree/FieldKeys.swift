/// The keys of a dictionary, which dictionaries of the same keys share: thirty thousand characters of a game have one list of keys.
///
/// `@unchecked` because it is changed by ``ArchiveFields`` alone, and only where nobody else holds it.
package final class FieldKeys: @unchecked Sendable {
    var strings: LiteralStrings

    /// In their order.
    package var texts: [String] { strings.texts }

    package static let none = FieldKeys(LiteralStrings())

    init(_ strings: LiteralStrings) {
        self.strings = strings
    }
}
