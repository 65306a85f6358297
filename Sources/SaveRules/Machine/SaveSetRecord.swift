/// The parts of a game as the ledger and the history have them when the game is opened.
public struct SaveSetRecord: Sendable {
    /// The versions.
    public var heads: VersionState
    /// The machines that share it.
    public var peers: SharePeers
    /// The versions that are not put into the folder, and the reasons.
    public var quarantine: [SnapshotID: String]
    /// Versions that have lost data.
    public var incomplete: Set<SnapshotID>
    /// Its problems.
    public var problems: SetProblems

    /// - Parameters:
    ///   - heads: the versions
    ///   - peers: machines that share it
    ///   - quarantine: versions that are not put into the folder
    ///   - incomplete: versions that have lost data
    ///   - problems: what does not work
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
