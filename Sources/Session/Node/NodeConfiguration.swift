public import Discovery
public import LinuxPlatform
public import Vocabulary

/// The settings of a node.
public struct NodeConfiguration: Sendable {
    /// The folder of its identity and ledger. The node creates a missing one.
    public var folder: String
    /// Its name for peers.
    public var name: InstanceName
    /// The release of Huddle. Members of sessions learn it and the time; if it is nil, they learn neither.
    public var program: ProgramVersion?
    /// The service type that it advertises and browses.
    public var serviceType: ServiceType = .huddle
    /// The port on which it listens; 0 lets the kernel choose, nil takes no connections.
    public var port: UInt16? = 0
    /// True to try the port of the last run first, then ``port``, then any free one.
    public var keepsPort = false
    /// The address on which it listens; nil is all of them.
    public var address: IPAddress?
    /// True to advertise this machine to others.
    public var advertises = true
    /// True to browse for others.
    public var browses = true
    /// The socket of `tailscaled`, which knows addresses of paired machines; nil to not ask it.
    public var tailscaleSocket: String?
    /// The network interfaces of discovery.
    public var interfaces = InterfaceChoice.standard
    /// True to accept a peer that a member of a mesh introduces into that session without a question.
    public var acceptsIntroductions = true
    /// True to trust keys without a code: for programs whose players meet for one game and store nothing of it.
    public var meetsWithoutCodes = false
    /// The time limits of its work with peers.
    public var patience = NodePatience()
    /// The limits of the resources of this machine that peers may use.
    public var limits = NodeLimits()

    /// Settings for a node with this name and folder.
    public init(folder: String, name: InstanceName) {
        self.folder = folder
        self.name = name
    }
}
