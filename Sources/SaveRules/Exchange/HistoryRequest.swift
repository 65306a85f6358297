/// A request for history: some versions and their ancestors, without those that the requester has already.
public struct HistoryRequest: Hashable, Sendable {
    /// The largest number of requested versions.
    public static let maximumWantedCount = 256
    /// The largest number of versions in an answer.
    public static let maximumAnswerCount = 256
    /// The approximate largest size of an answer in bytes; one version always fits.
    public static let maximumAnswerByteCount = 4 << 20

    /// The requested versions.
    public let wanted: [SnapshotID]
    /// The heads of the requester, and some of their ancestors. They and all their ancestors are not sent.
    public let known: [SnapshotID]

    /// - Parameters:
    ///   - wanted: the requested versions; those beyond 256 are left out
    ///   - known: ``SnapshotGraph/landmarks(of:)`` of the requester's heads; those beyond 64 are left out
    public init(wanted: some Sequence<SnapshotID>, known: some Sequence<SnapshotID>) {
        self.wanted = Array(wanted.prefix(Self.maximumWantedCount))
        self.known = Array(known.prefix(SnapshotHead.maximumCount))
    }
}
