/// A question about history: some snapshots and their ancestors, up to those that the asker has already.
public struct HistoryRequest: Hashable, Sendable {
    /// How many snapshots may be asked for at once.
    public static let maximumWantedCount = 256
    /// How many an answer has at the most.
    public static let maximumAnswerCount = 256
    /// About how many bytes an answer has at the most; one snapshot always fits.
    public static let maximumAnswerByteCount = 4 << 20

    /// The snapshots that are wanted.
    public let wanted: [SnapshotID]
    /// Heads of the asker and marks on the way back from them. They and their ancestors are not sent.
    public let known: [SnapshotID]

    /// - Parameters:
    ///   - wanted: what is wanted; beyond 256 the rest is left out
    ///   - known: ``SnapshotGraph/landmarks(of:)`` of the asker's heads; beyond 64 the rest is left out
    public init(wanted: some Sequence<SnapshotID>, known: some Sequence<SnapshotID>) {
        self.wanted = Array(wanted.prefix(Self.maximumWantedCount))
        self.known = Array(known.prefix(SnapshotHead.maximumCount))
    }
}
