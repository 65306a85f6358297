import Digests
import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

@testable import Session

/// The other side made by hand: it has a key and a lane, and says whatever the script wants, whether the protocol allows it
/// or not.
@Engine
final class ScriptedPeer {
    let identity: Identity
    let node: TestNode
    let lane: Lane
    /// The session of its own that a script speaks of.
    let ownSession = SessionID.random()
    private var decoder = FrameDecoder<ControlFrame>()

    private init(_ identity: Identity, _ lane: Lane, at node: TestNode) {
        self.identity = identity
        self.lane = lane
        self.node = node
    }

    var id: PeerID { identity.peerID }

    /// Through the handshake, but silent.
    static func connected(
        to node: TestNode,
        as identity: Identity = .ephemeral(),
        from source: UInt8 = 1
    ) async throws -> ScriptedPeer {
        let socket = try LoopbackStranger.connecting(to: node.node.port, from: source)
        let lane = try await Lane.dial(
            over: socket,
            as: identity,
            expecting: node.id,
            within: .seconds(20),
            on: Engine.loop
        )
        return ScriptedPeer(identity, lane, at: node)
    }

    /// Through Hello: the node has a link to it.
    static func greeted(
        by node: TestNode,
        as identity: Identity = .ephemeral(),
        named name: String = "Mallory",
        datagramPort: UInt16 = 0,
        from source: UInt8 = 1
    ) async throws -> ScriptedPeer {
        let peer = try await connected(to: node, as: identity, from: source)
        try await peer.say(.hello(try hello(name, datagramPort: datagramPort)))
        guard case .hello = try await peer.hear() else { throw Unexpected.frame }
        return peer
    }

    /// A friend of the node's, whose invitations it accepts.
    static func trusted(
        by node: TestNode,
        may permissions: Permissions = .all,
        named name: String = "Mallory"
    ) async throws -> ScriptedPeer {
        let identity = Identity.ephemeral()
        try await node.node.trust(identity.peerID, named: try InstanceName(name))
        try await node.node.setPolicy(.accept, for: identity.peerID)
        try await node.node.setPermissions(permissions, for: identity.peerID)
        return try await greeted(by: node, as: identity, named: name)
    }

    static func hello(
        _ name: String = "Mallory",
        minor: UInt16 = WireVersion.minor,
        datagramPort: UInt16 = 0,
        runToken: UInt64 = 1
    ) throws -> ControlFrame.Hello {
        .init(
            minor: minor,
            name: try InstanceName(name),
            listeningPort: 0,
            datagramPort: datagramPort,
            runToken: runToken
        )
    }

    enum Unexpected: Error {
        case frame
        case end
    }

    // MARK: Speaking

    func say(_ frames: ControlFrame...) async throws { try await say(frames) }

    func say(_ frames: [ControlFrame]) async throws {
        var bytes: [UInt8] = []
        for frame in frames { frame.encode(into: &bytes) }
        try await lane.send(bytes)
    }

    func say(type: UInt8, _ payload: [UInt8]) async throws {
        let count = payload.count
        let header = [type, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        try await lane.send(header + payload)
    }

    // MARK: Hearing

    /// The next frame, whatever it is; nil at a clean end.
    func hear() async throws -> ControlFrame? {
        let timer = Engine.schedule(at: .now + .seconds(20)) { [lane] in lane.abort() }
        defer { timer.cancel() }
        while true {
            if let frame = try decoder.next() { return frame }
            let bytes = try await lane.receive(upTo: 65_536)
            if bytes.isEmpty { return nil }
            decoder.append(bytes)
        }
    }

    /// The next frame that the choice makes something of. Pings are answered.
    func hear<Value>(_ choice: (ControlFrame) -> Value?) async throws -> Value {
        while let frame = try await hear() {
            if case .ping(let number) = frame { try await say(.pong(number)) }
            if let value = choice(frame) { return value }
        }
        throw Unexpected.end
    }

    /// Everything that comes until the lane ends, and whether it ended in order.
    func hearToEnd() async -> (frames: [ControlFrame], isClean: Bool) {
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
    func echoes() async throws -> [ControlFrame] {
        var frames: [ControlFrame] = []
        for round in 0..<4 as Range<UInt64> {
            let number = 0xEC00 + round
            try await say(.ping(number))
            while let frame = try await hear() {
                if case .pong(number) = frame { break }
                if case .ping(let number) = frame { try await say(.pong(number)) } else { frames.append(frame) }
            }
            for _ in 0..<3 { _ = try await node.node.ledger.defaultPolicy() }
        }
        return frames
    }

    /// Whether the node still serves this peer.
    func isServed() async -> Bool { (try? await echoes()) != nil }

    // MARK: Invitations

    func invite(
        _ invitation: InvitationID = .random(),
        to session: SessionID = .random(),
        named name: String = "chat",
        nonce: PairingNonce = .zero,
        isCodeNeeded: Bool = true,
        patience: UInt32 = 30_000,
        context: [UInt8] = []
    ) throws -> ControlFrame.Invite {
        let recipe = PairingRecipe(inviter: id, invited: node.id, hash: Digest.sha256)
        return .init(
            invitation: invitation,
            session: session,
            sessionName: try Label(name),
            topology: .mesh,
            isCodeNeeded: isCodeNeeded,
            patienceMilliseconds: patience,
            commitment: recipe.commitment(to: nonce),
            context: context[...]
        )
    }

    /// Invites, and reveals its nonce once the node's has come.
    func begin(_ invite: ControlFrame.Invite) async throws {
        try await say(.invite(invite))
        _ = try await hear {
            if case .pairNonce(let nonce) = $0, nonce.invitation == invite.invitation { true } else { nil }
        }
        try await say(.pairReveal(.init(invitation: invite.invitation, nonce: .repeating(0))))
    }

    /// Lets itself in where the node accepts it.
    @discardableResult
    func enter(_ session: SessionID = .random()) async throws -> SessionID {
        try await say(.invite(try invite(to: session, isCodeNeeded: false)))
        let verdict = try await hear { if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil } }
        guard case .accepted = verdict else { throw Unexpected.frame }
        try await say(.members(.init(session: session, members: [])))
        _ = try await echoes()
        return session
    }

    // MARK: Further lanes

    /// A further lane, with the proof that it needs or another one.
    func furtherLane(
        _ id: LaneID = .random(),
        proof: ((_ lane: Lane, _ right: LaneProof) throws -> LaneProof) = { $1 }
    ) async throws -> ScriptedLane {
        let socket = try LoopbackStranger.connecting(to: node.node.port, from: 1)
        let further = try await Lane.dial(
            over: socket,
            as: identity,
            expecting: node.id,
            resuming: lane.ticket,
            within: .seconds(20),
            on: Engine.loop
        )
        let right = try laneProof(on: further, id)
        let scripted = ScriptedLane(further)
        try await scripted.say(.open(.init(lane: id, proof: try proof(further, right))))
        return scripted
    }

    func laneProof(on further: Lane, _ id: LaneID) throws -> LaneProof {
        let key = try lane.exportKey(label: "EXPORTER-huddle-lanes", count: 32)
        let binding = try further.exportKey(label: "EXPORTER-huddle-lane-proof", count: 32)
        guard let proof = LaneProof(bytes: Digest.authentication(of: binding + id.bytes, key: key)) else {
            throw Unexpected.frame
        }
        return proof
    }

    /// A further lane that the node has taken.
    func readyLane() async throws -> ScriptedLane {
        let further = try await furtherLane()
        guard case .ready = try await further.hear() else { throw Unexpected.frame }
        return further
    }
}

/// A further lane made by hand.
@Engine
final class ScriptedLane {
    let lane: Lane
    private var decoder = FrameDecoder<LaneFrame>()

    init(_ lane: Lane) {
        self.lane = lane
    }

    func say(_ frames: LaneFrame...) async throws {
        var bytes: [UInt8] = []
        for frame in frames { frame.encode(into: &bytes) }
        try await lane.send(bytes)
    }

    /// The next frame; nil where the lane has ended, one way or the other.
    func hear() async throws -> LaneFrame? {
        let timer = Engine.schedule(at: .now + .seconds(20)) { [lane] in lane.abort() }
        defer { timer.cancel() }
        while true {
            if let frame = try decoder.next() { return frame }
            guard let bytes = try? await lane.receive(upTo: 65_536), !bytes.isEmpty else { return nil }
            decoder.append(bytes)
        }
    }
}

extension PairingNonce {
    static var zero: PairingNonce { .repeating(0) }

    static func repeating(_ byte: UInt8) -> PairingNonce {
        guard let nonce = PairingNonce(bytes: [UInt8](repeating: byte, count: 32)) else {
            preconditionFailure("a nonce has 32 bytes")
        }
        return nonce
    }
}
