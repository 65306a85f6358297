/// A value on its way into a statement or out of a row. Values only ever go in through places marked `?`, never as part of the
/// text.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])

    package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}
