public import LinuxPlatform
import Ledger
public import Session
public import Transport
public import Vocabulary
public import Wire

/// The other side made by hand: it has a key and a lane, and says whatever the script wants, whether the protocol allows it
/// or not. It connects by itself, or is what a ``ScriptedHost`` makes of the node's connection.
@Engine
public final class ScriptedPeer {
    /// Its key.
    public let identity: Identity
    /// The control lane.
    public let lane: Lane
    /// The session of its own that a script speaks of.
    public let ownSession = SessionID.random()
    let node: Node
    private let talk: FrameTalk<ControlFrame>

    init(_ identity: Identity, _ lane: Lane, at node: Node) {
        self.identity = identity
        self.lane = lane
        self.node = node
        talk = FrameTalk(lane)
    }

    /// Who it is.
    public var id: PeerID { identity.peerID }

    /// Through the handshake, but silent.
    public static func connected(
        to node: Node,
        as identity: Identity = .ephemeral(),
        from source: UInt8 = 1,
        resuming ticket: LaneTicket? = nil
    ) async throws -> ScriptedPeer {
        let socket = try LoopbackStranger.connecting(to: node.port, from: source)
        let lane = try await Lane.dial(
            over: socket,
            as: identity,
            expecting: node.id,
            resuming: ticket,
            within: .seconds(20),
            on: Engine.loop
        )
        return ScriptedPeer(identity, lane, at: node)
    }

    /// Through Hello: the node has a link to it.
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

    /// A friend of the node's, whose invitations it accepts.
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

    /// Known to the node, which asks a person all the same. Of the two it has the smaller id: where their invitations cross, its own stays.
    public static func askedAbout(by node: Node) async throws -> ScriptedPeer {
        var identity = Identity.ephemeral()
        while node.id < identity.peerID { identity = .ephemeral() }
        try await node.trust(identity.peerID)
        return try await greeted(by: node, as: identity)
    }

    /// What it says first.
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

    /// The node did not say what the script waits for.
    public enum Unexpected: Error {
        /// It said something else.
        case frame
        /// It said no more.
        case end
    }

    // MARK: Speaking

    /// Says these together.
    public func say(_ frames: ControlFrame...) async throws { try await talk.say(frames) }

    /// The same.
    public func say(_ frames: [ControlFrame]) async throws { try await talk.say(frames) }

    /// Says a frame that no value can be made of.
    public func say(type: UInt8, _ payload: [UInt8]) async throws { try await talk.say(type: type, payload) }

    /// Offers what these bytes say.
    public func offer(_ offer: OfferBytes) async throws { try await say(type: OfferBytes.type, offer.payload) }

    // MARK: Hearing

    /// The next frame, whatever it is; nil at a clean end.
    public func hear() async throws -> ControlFrame? { try await talk.hear() }

    /// The next frame that the choice makes something of. Pings are answered.
    public func hear<Value>(_ choice: (ControlFrame) -> Value?) async throws -> Value {
        while let frame = try await hear() {
            if case .ping(let number) = frame { try await say(.pong(number)) }
            if let value = choice(frame) { return value }
        }
        throw Unexpected.end
    }

    /// Everything that comes until the lane ends, and whether it ended in order.
    public func hearToEnd() async -> (frames: [ControlFrame], isClean: Bool) {
        var frames: [ControlFrame] = []
        do {
            while let frame = try await hear() { frames.append(frame) }
            return (frames, true)
        } catch {
            return (frames, false)
        }
    }

    /// What the node says to all that was said so far: it answers in order, so nothing comes after its pong. What waits for
    /// the ledger has come back from there, too.
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

    /// Whether the node takes what this peer says. Its ledger may be held up meanwhile.
    public func isHeard() async -> Bool {
        do {
            try await say(.ping(77))
            return try await hear { if case .pong(77) = $0 { true } else { nil } }
        } catch {
            return false
        }
    }

    /// Whether the node still serves this peer.
    public func isServed() async -> Bool { (try? await echoes()) != nil }
}
