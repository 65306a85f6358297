public import Discovery
public import LinuxPlatform
public import SessionRules
public import Vocabulary

/// What a node is to be like.
public struct NodeConfiguration: Sendable {
    /// Where its identity and ledger are kept; made if it is not there.
    public var folder: String
    /// What it calls itself.
    public var name: InstanceName
    /// Which huddle it is; it and the time are what members of a session are told. Without it they are told neither.
    public var program: ProgramVersion?
    /// What it advertises and looks for.
    public var serviceType: ServiceType = .huddle
    /// Where it listens; 0 lets the kernel choose, nil takes no connections.
    public var port: UInt16? = 0
    /// Whether it listens where it did the last time, if that port is free, then at ``port``, then at any free one.
    public var keepsPort = false
    /// On which address alone it listens; nil is all of them.
    public var address: IPAddress?
    /// Whether others can find it.
    public var advertises = true
    /// Whether it looks for others.
    public var browses = true
    /// Over which interfaces.
    public var interfaces = InterfaceChoice.standard
    /// Whether a peer that a trusted member of a mesh introduces is let into that session without a question.
    public var acceptsIntroductions = true
    /// Whether keys are taken as they are, without a code: for programs whose players meet for a game and keep nothing of it.
    public var meetsWithoutCodes = false
    /// How long a peer may be silent.
    public var liveness = Liveness.Patience()
    /// How long each step to a link may take.
    public var handshake = LinkHandshake.Patience()
    /// How a lost link comes back.
    public var reconnection = Reconnection.Pace()
    /// How long transfers wait.
    public var transfers = TransferPatience()
    /// How long what is under way may take when the node ends.
    public var shutdown = Shutdown.Patience()
    /// How many strangers may be connected.
    public var admission = Admission<Int, IPAddress>.Limits()
    /// How many bytes peers may make this machine hold.
    public var memory = BudgetLimits.memory
    /// How many descriptors peers may make this machine hold.
    public var descriptors = BudgetLimits.descriptors
    /// How long a link stays that nobody uses.
    public var idleLink: Duration = .seconds(30)

    /// A node of this name that keeps its things in this folder.
    public init(folder: String, name: InstanceName) {
        self.folder = folder
        self.name = name
    }
}
