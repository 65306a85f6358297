public import SaveRules

/// The state of a set's snapshots that is stored for the next start, without the parts that are looked up later.
public struct SnapshotStanding: Hashable, Sendable {
    /// The newest of those that are here in full; nil if they were never computed.
    public let heads: [SnapshotID]?
    /// The snapshots that are here in full.
    public let held: Set<SnapshotID>
    /// The reasons why some are not applied to the folder.
    public let refusals: [SnapshotID: String]
    /// The snapshots that miss pieces which were discarded as damaged.
    public let incomplete: Set<SnapshotID>
}
