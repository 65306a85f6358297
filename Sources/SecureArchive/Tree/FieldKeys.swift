/// The keys of a dictionary, shared by dictionaries with the same keys: thirty thousand characters of a game have one
/// list of keys.
///
/// `@unchecked` because only ``ArchiveFields`` changes it, and only if it has the only reference.
package final class FieldKeys: @unchecked Sendable {
    var strings: LiteralStrings

    /// In their order.
    package var texts: [String] { strings.texts }

    package static let none = FieldKeys(LiteralStrings())

    init(_ strings: LiteralStrings) {
        self.strings = strings
    }
}
