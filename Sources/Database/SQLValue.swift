/// A parameter of a statement or a value of a row. Values enter a statement only through its `?`
/// placeholders, never as part of its text.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])

    package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}
