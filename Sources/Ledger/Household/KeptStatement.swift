import Database
import Vocabulary

/// A statement about a machine of the household, as the ledger stores it. It was checked when it arrived.
public struct KeptStatement: Hashable, Sendable {
    /// Its bytes, with the signature.
    public let bytes: [UInt8]
    /// True if the user keeps the machine that it removes.
    public let isKept: Bool

    init(_ row: Row) throws(UnreadableValue) {
        bytes = try row.bytes("bytes")
        isKept = try row.integer("is_kept") == 1
    }
}
