public import Vocabulary

/// What a session is like.
public struct SessionConfiguration: Sendable {
    /// What people call it.
    public var name: Label
    /// Who in it is connected to whom.
    public var topology: Topology
    /// How many others may be in it; nil is as many as there are.
    public var maximumPeers: Int?
    /// Whether a peer whose program was started anew is invited again, if this side had invited it.
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
