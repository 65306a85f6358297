public import LinuxPlatform
import Ledger
public import Session
public import Transport
public import Vocabulary
public import Wire

/// A peer by hand with a key and a control channel. It sends any frames of the script, also those that the protocol
/// forbids. It connects by itself, or a ``ScriptedHost`` makes it from the node's connection.
@Engine
public final class ScriptedPeer {
    /// Its key.
    public let identity: Identity
    /// The control channel.
    public let channel: SecureChannel
    /// The session of this peer.
    public let ownSession = SessionID.random()
    let node: Node
    private let talk: FrameTalk<ControlFrame>

    init(_ identity: Identity, _ channel: SecureChannel, at node: Node) {
        self.identity = identity
        self.channel = channel
        self.node = node
        talk = FrameTalk(channel)
    }

    /// The ID of its key.
    public var id: PeerID { identity.peerID }

    /// Connects and does the TLS handshake, but sends nothing.
    public static func connected(
        to node: Node,
        as identity: Identity = .ephemeral(),
        from source: UInt8 = 1,
        resuming ticket: ResumptionTicket? = nil
    ) async throws -> ScriptedPeer {
        let socket = try LoopbackStranger.connecting(to: node.port, from: source)
        let channel = try await SecureChannel.dial(
            over: socket,
            as: identity,
            expecting: node.id,
            resuming: ticket,
            within: .seconds(20),
            on: Engine.loop
        )
        return ScriptedPeer(identity, channel, at: node)
    }

    /// Connects up to Hello, so that the node has a link to it.
    public static func greeted(
        by node: Node,
        as identity: Identity = .ephemeral(),
        named name: String = "Mallory",
        minor: UInt16 = WireVersion.minor,
        datagramPort: UInt16 = 0,
        from source: UInt8 = 1
    ) async throws -> ScriptedPeer {
        let peer = try await connected(to: node, as: identity, from: source)
        try await peer.say(.hello(try hello(name, minor: minor, datagramPort: datagramPort)))
        guard case .hello = try await peer.hear() else { throw Unexpected.frame }
        return peer
    }

    /// A paired peer, whose invitations the node accepts.
    public static func trusted(
        by node: Node,
        may permissions: Permissions = .all,
        named name: String = "Mallory",
        minor: UInt16 = WireVersion.minor
    ) async throws -> ScriptedPeer {
        let identity = Identity.ephemeral()
        try await node.trust(identity.peerID, named: try InstanceName(name))
        try await node.setPolicy(.accept, for: identity.peerID)
        try await node.setPermissions(permissions, for: identity.peerID)
        return try await greeted(by: node, as: identity, named: name, minor: minor)
    }

    /// A paired peer about which the node still asks the user. It has the smaller ID, so its invitation survives a
    /// crossing.
    public static func askedAbout(by node: Node) async throws -> ScriptedPeer {
        var identity = Identity.ephemeral()
        while node.id < identity.peerID { identity = .ephemeral() }
        try await node.trust(identity.peerID)
        return try await greeted(by: node, as: identity)
    }

    /// Its Hello.
    public static func hello(
        _ name: String = "Mallory",
        minor: UInt16 = WireVersion.minor,
        listeningPort: UInt16 = 0,
        datagramPort: UInt16 = 0,
        runToken: UInt64 = 1
    ) throws -> ControlFrame.Hello {
        .init(
            minor: minor,
            name: try InstanceName(name),
            listeningPort: listeningPort,
            datagramPort: datagramPort,
            runToken: runToken
        )
    }

    /// An error: the node did not send the frame that the script waits for.
    public enum Unexpected: Error {
        /// The node sent another frame.
        case frame
        /// The node ended the connection.
        case end
    }

    // MARK: Sending

    /// Sends frames in one write.
    public func say(_ frames: ControlFrame...) async throws { try await talk.say(frames) }

    /// Sends frames in one write.
    public func say(_ frames: [ControlFrame]) async throws { try await talk.say(frames) }

    /// Sends a frame of any bytes.
    public func say(type: UInt8, _ payload: [UInt8]) async throws { try await talk.say(type: type, payload) }

    /// Sends the offer of these bytes.
    public func offer(_ offer: OfferBytes) async throws { try await say(type: OfferBytes.type, offer.payload) }

    // MARK: Receiving

    /// The next frame of any type; nil at a clean end.
    public func hear() async throws -> ControlFrame? { try await talk.hear() }

    /// The next frame that the choice accepts. Pings are answered.
    public func hear<Value>(_ choice: (ControlFrame) -> Value?) async throws -> Value {
        while let frame = try await hear() {
            if case .ping(let number) = frame { try await say(.pong(number)) }
            if let value = choice(frame) { return value }
        }
        throw Unexpected.end
    }

    /// All frames until the channel ends, and true if it ended in order.
    public func hearToEnd() async -> (frames: [ControlFrame], isClean: Bool) {
        var frames: [ControlFrame] = []
        do {
            while let frame = try await hear() { frames.append(frame) }
            return (frames, true)
        } catch {
            return (frames, false)
        }
    }

    /// The node's answers to all frames so far. It answers in order, so its pong is the last one. Answers that wait for
    /// the ledger come before it, too.
    public func echoes() async throws -> [ControlFrame] {
        var frames: [ControlFrame] = []
        for round in 0..<4 as Range<UInt64> {
            let number = 0xEC00 + round
            try await say(.ping(number))
            while true {
                guard let frame = try await hear() else { throw Unexpected.end }
                if case .pong(number) = frame { break }
                if case .ping(let number) = frame { try await say(.pong(number)) } else { frames.append(frame) }
            }
            for _ in 0..<3 { _ = try await node.ledger.defaultPolicy() }
        }
        return frames
    }

    /// Returns true if the node accepts this peer's frames. Its ledger may be blocked meanwhile.
    public func isHeard() async -> Bool {
        do {
            try await say(.ping(77))
            return try await hear { if case .pong(77) = $0 { true } else { nil } }
        } catch {
            return false
        }
    }

    /// Returns true if the node still serves this peer.
    public func isServed() async -> Bool { (try? await echoes()) != nil }
}
