/// The parts of a game as the ledger and the history have them when the game is opened.
public struct SaveSetRecord: Sendable {
    /// The versions.
    public var heads: VersionState
    /// The machines that share it.
    public var peers: SharePeers
    /// The versions that are not applied, and the reasons.
    public var quarantine: [SnapshotID: String]
    /// Versions that have lost data.
    public var incomplete: Set<SnapshotID>
    /// Its problems.
    public var problems: SetProblems

    /// - Parameters:
    ///   - heads: the versions
    ///   - peers: the machines that share it
    ///   - quarantine: the versions that are not applied
    ///   - incomplete: the versions that have lost data
    ///   - problems: its problems
    public init(
        _ heads: VersionState,
        peers: SharePeers = SharePeers(),
        quarantine: [SnapshotID: String] = [:],
        incomplete: Set<SnapshotID> = [],
        problems: SetProblems = SetProblems()
    ) {
        (self.heads, self.peers, self.quarantine) = (heads, peers, quarantine)
        (self.incomplete, self.problems) = (incomplete, problems)
    }
}
