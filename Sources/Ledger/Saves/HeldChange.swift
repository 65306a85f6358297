public import SaveRules

/// A change of the snapshots of a set that are here in full.
public struct HeldChange: Hashable, Sendable {
    /// The newest of them after the change.
    public let heads: [SnapshotID]
    /// The added ones.
    public let come: Set<SnapshotID>
    /// The removed ones.
    public let gone: Set<SnapshotID>

    /// - Parameters:
    ///   - heads: the newest of them after the change
    ///   - come: the added ones
    ///   - gone: the removed ones
    public init(heads: [SnapshotID], come: Set<SnapshotID> = [], gone: Set<SnapshotID> = []) {
        (self.heads, self.come, self.gone) = (heads, come, gone)
    }
}
