public import LinuxPlatform
public import Session
public import Transport
public import Vocabulary
import Wire

/// Where a scripted peer listens, so that the node is the dialler of the link and of every further lane.
@Engine
public final class ScriptedHost {
    /// Who listens here.
    public let identity: Identity
    /// Where the node's connections come in.
    public let listener: LaneListener
    private let node: Node

    /// Listens on a port of its own for what the node dials.
    public init(at node: Node, as identity: Identity = .ephemeral()) throws {
        self.identity = identity
        self.node = node
        listener = try LaneListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: Engine.loop)
    }

    /// What the node has to dial.
    public var address: HostAndPort { get throws { try HostAndPort("127.0.0.1:\(listener.port)") } }

    private func lane() async throws -> Lane {
        try await Lane.accept(try await listener.accept(), as: identity, within: .seconds(20), on: Engine.loop)
    }

    /// The node's next connection, through TLS and no further.
    public func connected() async throws -> ScriptedPeer { ScriptedPeer(identity, try await lane(), at: node) }

    /// The same, with the node's Hello heard and not answered.
    public func heard() async throws -> ScriptedPeer {
        let peer = try await connected()
        guard case .hello = try await peer.hear() else { throw ScriptedPeer.Unexpected.frame }
        return peer
    }

    /// The node's control lane, after both have said hello.
    public func greet(as name: String = "Mallory") async throws -> ScriptedPeer {
        let peer = try await heard()
        try await peer.say(.hello(try ScriptedPeer.hello(name, listeningPort: listener.port)))
        return peer
    }

    /// A further lane that the node dials, taken and ready.
    public func takeLane() async throws -> ScriptedLane {
        let further = ScriptedLane(try await lane())
        guard case .open = try await further.hear() else { throw ScriptedPeer.Unexpected.frame }
        try await further.say(.ready)
        return further
    }

    /// In a session of the node's, by its invitation.
    public static func invited(
        by node: Node,
        as identity: Identity = .ephemeral()
    ) async throws -> (host: ScriptedHost, peer: ScriptedPeer, Session) {
        let host = try ScriptedHost(at: node, as: identity)
        try await node.trust(host.identity.peerID)
        let session = node.session(SessionConfiguration(name: try Label("chat"), topology: .mesh))
        let address = try host.address
        async let invited = node.invite(.address(address), to: session)
        let peer = try await host.greet()
        try await peer.acceptInvitation()
        _ = try await invited
        return (host, peer, session)
    }
}
