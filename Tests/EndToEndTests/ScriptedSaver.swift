import Digests
import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Transport
import Vocabulary

/// A machine that shares a game, and sends the frames of a test.
@Engine
final class ScriptedSaver {
    let node: Node
    let session: Session
    let peer: PeerID
    let set: SaveSetID
    /// The version in the folder of the other side.
    let head: Snapshot
    private let running: Task<Void, Never>
    private var stream: OutgoingStream?

    private init(
        _ node: Node,
        _ session: Session,
        _ peer: PeerID,
        _ set: SaveSetID,
        _ head: Snapshot,
        _ running: Task<Void, Never>
    ) {
        (self.node, self.session, self.peer) = (node, session, peer)
        (self.set, self.head, self.running) = (set, head, running)
    }

    /// Takes the place of a machine whose daemon has ended, and syncs the game that the other side offers to it.
    static func open(as machine: Machine, to address: String) async throws -> ScriptedSaver {
        var configuration = NodeConfiguration(
            folder: machine.home.path(of: ".local/state/huddle"),
            name: try InstanceName(machine.name)
        )
        configuration.address = .v4(127, 0, 0, 1)
        (configuration.advertises, configuration.browses) = (false, false)
        let node = try await Node.open(configuration)
        let running = Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() }
        let session = node.session(
            SessionConfiguration(name: try Label("saves"), topology: .pair, invitesAgain: false)
        )
        let target = try Node.Target.address(HostAndPort(address))
        let peer = try await node.invite(target, to: session, context: Array("huddle-saves/1".utf8))
        let offer = try await next(from: peer, in: session) { if case .offer(let offer) = $0 { offer } else { nil } }
        try await session.send(SaveMessage.offer(offer).encoded, to: [peer])
        let heads = try await next(from: peer, in: session) { if case .heads(_, let heads) = $0 { heads } else { nil } }
        let wanted = HistoryRequest(wanted: [try #require(heads.first).id], known: [])
        try await session.send(SaveMessage.ask(offer.set, ExchangeEpoch(1), wanted).encoded, to: [peer])
        let head = try await history(in: session)
        return ScriptedSaver(node, session, peer, offer.set, try #require(head.first), running)
    }

    /// The next frames of the other side.
    private static func history(in session: Session) async throws -> [Snapshot] {
        while let event = await session.events.next() {
            guard case .stream(let stream) = event else { continue }
            var reader = SaveDeliveryReader()
            while let bytes = try await stream.read() {
                reader.append(bytes)
                guard case .history(_, _, let encoded)? = try reader.next() else { continue }
                return try encoded.map { try Snapshot(kept: $0, hashedBy: Digest.sha256) }
            }
        }
        throw CancellationError()
    }

    func stop() async {
        session.leave()
        running.cancel()
        await running.value
    }

    /// A version that follows the one in the folder of the other side.
    func snapshot(of manifest: [[UInt8]]) throws -> Snapshot {
        let identity = node.identity
        let seal = VersionSeal(of: identity.publicKey, hashedBy: Digest.sha256) { identity.signature(of: $0) }
        var draft = Snapshot.Draft(
            set: set,
            .captured,
            version: try head.signedVersion.bumped(by: seal, in: set),
            manifest: manifest.map { PieceReference(PieceID(of: $0, hashedBy: Digest.sha256), length: $0.count) }
        )
        draft.parents = [head.id]
        return try Snapshot(draft, sealedBy: seal)
    }

    /// Announces a version, and sends one on request.
    func announce(_ snapshot: Snapshot, handingOver other: Snapshot? = nil) async throws {
        try await session.send(
            SaveMessage.heads(set, [SnapshotHead(snapshot.id, snapshot.version)]).encoded,
            to: [peer]
        )
        let ticket = try await next { if case .ask(_, let ticket, _) = $0 { ticket } else { nil } }
        try await deliver(.history(set, ticket, [(other ?? snapshot).encoded]))
    }

    /// The pieces that the other side requests next, and the exchange epoch.
    func wanted() async throws -> (ticket: ExchangeEpoch, pieces: [PieceReference]) {
        try await next { if case .want(_, let ticket, _, let pieces) = $0 { (ticket, pieces) } else { nil } }
    }

    func deliver(_ delivery: SaveDelivery) async throws {
        if stream == nil { stream = try await session.openStream(named: Label("saves"), to: peer) }
        try await stream?.write(delivery.encoded)
    }

    private func next<Value>(_ choice: (SaveMessage) -> Value?) async throws -> Value {
        try await Self.next(from: peer, in: session, choice)
    }

    private static func next<Value>(
        from peer: PeerID,
        in session: Session,
        _ choice: (SaveMessage) -> Value?
    ) async throws -> Value {
        while let event = await session.events.next() {
            // Statements about machines belong to no game.
            guard case .message(let message) = event, !HouseholdMessage.isKind(of: message.bytes) else { continue }
            if let value = choice(try SaveMessage(decoding: message.bytes, from: peer)) { return value }
        }
        throw CancellationError()
    }
}
