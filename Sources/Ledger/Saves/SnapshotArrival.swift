import Database
public import SaveRules

/// The arrival of a snapshot on this machine.
public struct SnapshotArrival: Hashable, Sendable {
    /// The id of the snapshot.
    public let id: SnapshotID
    /// Its place in the order of arrival in its set, from 1, independent of the clock.
    public let place: Int
    /// The time by this machine's clock.
    public let time: WallTime

    init(_ row: Row) throws(UnreadableValue) {
        id = try row.snapshot("id")
        place = Int(try row.integer("place"))
        time = try row.time("came_at")
    }
}
