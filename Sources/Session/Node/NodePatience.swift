public import SessionRules

/// The time limits of a node.
public struct NodePatience: Sendable {
    /// The time for which a peer may be silent.
    public var liveness = Liveness.Patience()
    /// The time limits of the steps to a link.
    public var handshake = LinkHandshake.Patience()
    /// The pace of dials after a lost link.
    public var reconnection = Reconnection.Pace()
    /// The time limits of transfers.
    public var transfers = TransferPatience()
    /// The time limits of the end of the node.
    public var shutdown = Shutdown.Patience()
    /// The time after which an unused link ends.
    public var idleLink: Duration = .seconds(30)
}
