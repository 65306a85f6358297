import Database
public import SaveRules

/// A snapshot that this machine knows, with or without its contents.
public struct KnownSnapshot: Hashable, Sendable {
    /// The id of the snapshot.
    public let id: SnapshotID
    /// Its place in the order of arrival in its set, from 1.
    public let place: Int
    /// The canonical encoding.
    public let bytes: [UInt8]
    /// The time of its arrival on this machine.
    public let cameAt: WallTime
    /// The reason why it is not applied to the folder, or nil.
    public let refusal: String?
    /// True if pieces of it were discarded as damaged and have not arrived again.
    public let isIncomplete: Bool

    init(_ row: Row) throws(UnreadableValue) {
        id = try row.snapshot("id")
        place = Int(try row.integer("place"))
        bytes = try row.bytes("bytes")
        cameAt = try row.time("came_at")
        refusal = try row.optionalText("refusal")
        isIncomplete = try row.integer("is_lacking") != 0
    }
}
