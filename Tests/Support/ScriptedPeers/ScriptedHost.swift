public import LinuxPlatform
public import Session
public import Transport
public import Vocabulary
import Wire

/// The listener of a scripted peer. With it the node is the dialler of the link and of all data channels.
@Engine
public final class ScriptedHost {
    /// The identity of the listener.
    public let identity: Identity
    /// The listening socket for the node's connections.
    public let listener: ChannelListener
    private let node: Node

    /// Listens on a free port for the node's connections.
    public init(at node: Node, as identity: Identity = .ephemeral()) throws {
        self.identity = identity
        self.node = node
        listener = try ChannelListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: Engine.loop)
    }

    /// The address that the node dials.
    public var address: HostAndPort { get throws { try HostAndPort("127.0.0.1:\(listener.port)") } }

    private func channel() async throws -> SecureChannel {
        try await SecureChannel.accept(try await listener.accept(), as: identity, within: .seconds(20), on: Engine.loop)
    }

    /// The node's next connection after the TLS handshake.
    public func connected() async throws -> ScriptedPeer { ScriptedPeer(identity, try await channel(), at: node) }

    /// The node's next connection after its Hello, which is not answered.
    public func heard() async throws -> ScriptedPeer {
        let peer = try await connected()
        guard case .hello = try await peer.hear() else { throw ScriptedPeer.Unexpected.frame }
        return peer
    }

    /// The node's control channel after both Hellos.
    public func greet(as name: String = "Mallory") async throws -> ScriptedPeer {
        let peer = try await heard()
        try await peer.say(.hello(try ScriptedPeer.hello(name, listeningPort: listener.port)))
        return peer
    }

    /// A data channel that the node dials, accepted and ready.
    public func take() async throws -> ScriptedChannel {
        let further = ScriptedChannel(try await channel())
        guard case .open = try await further.hear() else { throw ScriptedPeer.Unexpected.frame }
        try await further.say(.ready)
        return further
    }

    /// A host and its peer in a session of the node, by the node's invitation.
    public static func invited(
        by node: Node,
        as identity: Identity = .ephemeral(),
        into session: Session? = nil
    ) async throws -> (host: ScriptedHost, peer: ScriptedPeer, Session) {
        let host = try ScriptedHost(at: node, as: identity)
        try await node.trust(host.identity.peerID)
        let session = try session ?? node.session(SessionConfiguration(name: Label("chat"), topology: .mesh))
        let address = try host.address
        async let invited = node.invite(.address(address), to: session)
        let peer = try await host.greet()
        try await peer.acceptInvitation()
        _ = try await invited
        return (host, peer, session)
    }
}
