public import Vocabulary

/// The settings of a session.
public struct SessionConfiguration: Sendable {
    /// The name for users.
    public var name: Label
    /// The connections between its members.
    public var topology: Topology
    /// The number of other members; nil for no limit.
    public var maximumPeers: Int?
    /// True to invite a peer again whose program has restarted, if this side had invited it.
    public var invitesAgain: Bool

    /// A mesh without a limit.
    public init(
        name: Label,
        topology: Topology = .mesh,
        maximumPeers: Int? = nil,
        invitesAgain: Bool = true
    ) {
        self.name = name
        self.topology = topology
        self.maximumPeers = maximumPeers
        self.invitesAgain = invitesAgain
    }
}
