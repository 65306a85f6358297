import Digests
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import SessionRules
import TestSupport
import Vocabulary

/// A paired machine whose program sends messages that no honest one would.
@Engine
final class HostilePeer {
    let node: Node
    let session: Session
    let victim: SaveMachine
    let set: SaveSetID
    private let folder: TemporaryFolder
    private let running: Task<Void, Never>
    private var stream: OutgoingStream?

    private init(
        _ node: Node,
        _ session: Session,
        _ victim: SaveMachine,
        _ set: SaveSetID,
        _ folder: TemporaryFolder,
        _ running: Task<Void, Never>
    ) {
        (self.node, self.session, self.victim, self.set) = (node, session, victim, set)
        (self.folder, self.running) = (folder, running)
    }

    /// Opens a peer that shares the game, and that has said so.
    static func open(victim: SaveMachine, sharing set: SaveSetID) async throws -> HostilePeer {
        let folder = TemporaryFolder.inMemory()
        var configuration = NodeConfiguration(folder: folder.path(of: "huddle"), name: try InstanceName("mallory"))
        configuration.address = .v4(127, 0, 0, 1)
        (configuration.advertises, configuration.browses) = (false, false)
        configuration.patience.shutdown = .init(drain: .milliseconds(50), parting: .seconds(1))
        let node = try await Node.open(configuration)
        let running = Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() }
        for (one, two) in [(node, victim.node), (victim.node, node)] {
            try await one.trust(two.id, named: two.configuration.name)
            try await one.setPolicy(.accept, for: two.id)
            try await one.ledger.saw(two.id, at: HostAndPort("127.0.0.1:\(two.port)"))
        }
        try await victim.engine.sharing.offer(set, to: node.id)
        while let event = await node.events.next() {
            guard case .joined(let session, _) = event else { continue }
            let peer = HostilePeer(node, session, victim, set, folder, running)
            _ = try await peer.next { if case .offer(let offer) = $0, offer.set == set { true } else { nil } }
            try await peer.say(.offer(SaveOffer(set, named: SaveSetName("celeste"))))
            _ = try await peer.next { if case .heads = $0 { true } else { nil } }
            return peer
        }
        throw CancellationError()
    }

    var seal: VersionSeal { VersionSeal(node.identity) }

    func stop() async {
        running.cancel()
        await running.value
    }

    func say(_ message: SaveMessage) async throws { try await say(message.encoded) }

    func say(_ bytes: [UInt8]) async throws { try await session.send(bytes, to: [victim.id]) }

    func deliver(_ delivery: SaveDelivery) async throws { try await deliver(delivery.encoded) }

    func deliver(_ bytes: [UInt8]) async throws {
        if stream == nil { stream = try await session.openStream(named: Label("saves"), to: victim.id) }
        try await stream?.write(bytes)
    }

    /// The next message for which the choice gives a value.
    func next<Value>(_ choice: (SaveMessage) -> Value?) async throws -> Value {
        while let event = await session.events.next() {
            // Statements about machines belong to no game.
            guard case .message(let message) = event, !HouseholdMessage.isKind(of: message.bytes) else { continue }
            if let value = choice(try SaveMessage(decoding: message.bytes, from: victim.id)) { return value }
        }
        throw CancellationError()
    }

    /// Sends the same history at each request, until the task is cancelled: after each connection, a peer requests
    /// again.
    func keepAnswering(with snapshots: [Snapshot]) -> Task<Void, Never> {
        Task(executorPreference: EventLoop.shared.taskExecutor) { await self.answer(with: snapshots) }
    }

    private func answer(with snapshots: [Snapshot]) async {
        while let epoch = try? await next({ if case .ask(_, let epoch, _) = $0 { epoch } else { nil } }) {
            do {
                try await deliver(.history(set, epoch, snapshots.map(\.encoded)))
            } catch {
                stream = nil
            }
        }
    }

    /// Makes a snapshot with these bytes as its manifest, valid or not.
    /// - Parameter before: its parent; nil if it has none
    func snapshot(
        of manifest: [UInt8],
        counter: UInt64 = 1,
        parents: [SnapshotID] = [],
        after before: Snapshot? = nil
    ) throws -> Snapshot {
        try snapshot(inPieces: [manifest], counter: counter, parents: parents, after: before)
    }

    /// The same, with a manifest of several pieces.
    func snapshot(
        inPieces manifest: [[UInt8]],
        counter: UInt64 = 1,
        parents: [SnapshotID] = [],
        after before: Snapshot? = nil
    ) throws -> Snapshot {
        let pieces = manifest.map { PieceReference(PieceID(of: $0, hashedBy: Digest.sha256), length: $0.count) }
        var draft = Snapshot.Draft(
            set: set,
            .captured,
            version: try (before?.signedVersion ?? SignedVersion()).bumped(by: seal, in: set, beyond: counter),
            manifest: pieces
        )
        draft.parents = before.map { [$0.id] } ?? parents
        return try Snapshot(draft, sealedBy: seal)
    }

    /// Announces a snapshot, and sends it when the victim asks for it.
    func announce(_ snapshot: Snapshot, as encoded: [UInt8]? = nil) async throws {
        try await say(.heads(set, [SnapshotHead(snapshot.id, snapshot.version)]))
        let epoch = try await next { if case .ask(_, let epoch, _) = $0 { epoch } else { nil } }
        try await deliver(.history(set, epoch, [encoded ?? snapshot.encoded]))
    }

    /// Announces a snapshot, and sends these bytes as the piece of its manifest.
    func push(_ snapshot: Snapshot, manifest: [UInt8]) async throws {
        try await push(snapshot, inPieces: [manifest])
    }

    /// The same, with a manifest of several pieces. It sends each when the victim asks for it.
    func push(_ snapshot: Snapshot, inPieces manifest: [[UInt8]]) async throws {
        try await announce(snapshot)
        var missing = Dictionary(zip(snapshot.manifest.map(\.id), manifest)) { first, _ in first }
        while !missing.isEmpty {
            let (epoch, wanted) = try await next { message in
                if case .want(_, let epoch, _, let wanted) = message { (epoch, wanted) } else { nil }
            }
            for piece in wanted {
                guard let bytes = missing.removeValue(forKey: piece.id) else { continue }
                try await deliver(.piece(set, epoch, piece.id, bytes))
            }
        }
    }

    /// The reason for which the victim takes nothing else from it.
    func refusal() async throws -> SaveRefusal {
        let id = node.id
        return try await victim.next(in: set) { event in
            if case .refused(id, let refusal) = event { refusal } else { nil }
        }
    }
}
