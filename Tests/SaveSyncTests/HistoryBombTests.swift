import Digests
import Ledger
import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Transport
import Vocabulary

@testable import SaveSync

@Suite("A peer that gives history without end", .timeLimit(.minutes(5)))
@Engine
struct HistoryBombTests {
    /// A chain of versions that each name as many peers as allowed: some 7 KB each. Their keys are made up, and have
    /// signed.
    private func chain(_ count: UInt64, of set: SaveSetID, by author: VersionSeal) throws -> [Snapshot] {
        let invented = (0..<63).map { _ in VersionSeal(Identity.ephemeral()) }
        let piece = PieceReference(PieceID(of: Manifest.empty.encoded, hashedBy: Digest.sha256), length: 9)
        var version = try invented.reduce(SignedVersion()) { try $0.bumped(by: $1, in: set) }
        var chain: [Snapshot] = []
        for _ in 1...count {
            version = try version.bumped(by: author, in: set)
            var draft = Snapshot.Draft(set: set, .captured, version: version, manifest: [piece])
            // The parent of the first does not exist, so only its version vector counts.
            draft.parents = [chain.last?.id ?? SnapshotID(words: (1, 2, 3, 4))]
            chain.append(try Snapshot(draft, sealedBy: author))
        }
        return chain
    }

    /// Answers requests for history until the victim wants contents, or refuses.
    private func give(_ chain: [Snapshot], of set: SaveSetID, by mallory: HostilePeer) async throws -> SaveMessage {
        let known = Dictionary(chain.map { ($0.id, $0) }) { first, _ in first }
        let newest = try #require(chain.last)
        try await mallory.say(.heads(set, [SnapshotHead(newest.id, newest.version)]))
        while true {
            let message = try await mallory.next { message -> SaveMessage? in
                switch message {
                case .ask, .want, .refused: message.set == set ? message : nil
                default: nil
                }
            }
            guard case .ask(_, let epoch, let request) = message else { return message }
            var (answer, next) = ([Snapshot](), request.wanted.first)
            while let found = next.flatMap({ known[$0] }), answer.count < HistoryRequest.maximumAnswerCount {
                answer.append(found)
                next = found.parents.first
            }
            try await mallory.deliver(.history(set, epoch, answer.map(\.encoded)))
        }
    }

    /// Shares another game of the victim with the peer.
    private func share(_ name: String, of machine: SaveMachine, with mallory: HostilePeer) async throws -> SaveSetID {
        let set = try await machine.add(["slot": "chapter 1"], name)
        try await machine.engine.sharing.offer(set, to: mallory.node.id)
        _ = try await mallory.next { if case .offer(let offer) = $0, offer.set == set { true } else { nil } }
        try await mallory.say(.offer(SaveOffer(set, named: SaveSetName(name))))
        _ = try await mallory.next { if case .heads(set, _) = $0 { true } else { nil } }
        return set
    }

    @Test(
        "an endless history is not in memory there, is refused by name after too much of all games, and delays no start"
    )
    func bomb() async throws {
        let folder = TemporaryFolder.inMemory()
        let length: UInt64 = 300
        var heads: [SaveSetID: [SnapshotID]] = [:]
        do {
            let machine = try await SaveMachine.open("victim", in: folder) { configuration in
                configuration.bounds.patience.answer = .seconds(3_600)
                configuration.bounds.given.snapshots = 2 * Int(length) + 10
            }
            let first = try await machine.add(["slot": "chapter 1"])
            let mallory = try await HostilePeer.open(victim: machine, sharing: first)
            var sets = [first]
            for name in ["doom", "quake"] { sets.append(try await share(name, of: machine, with: mallory)) }
            for (number, set) in sets.enumerated() {
                let chain = try chain(length, of: set, by: mallory.seal)
                let kept = try machine.engine.games.game(set)
                let said = try await give(chain, of: set, by: mallory)
                if number < 2, case .want = said {
                } else if number == 2, case .refused(_, let reason) = said {
                    #expect(reason.text == "exchange.given-too-much")
                } else {
                    Issue.record("the victim said \(said)")
                }
                #expect(kept.machine.heads.graph.snapshots.isEmpty)
                #expect(kept.machine.peers.online[mallory.node.id].map { $0.exchange.byteCount < 16 << 10 } == true)
                #expect(machine.engine.services.store.shelf.cachedByteCount <= 4 << 20)
                heads[set] = try machine.heads(of: set)
            }
            #expect(try await machine.node.ledger.snapshots.given(by: mallory.node.id).snapshots == 2 * Int(length))
            try await machine.engine.untilNoted()
            let entries = try await machine.node.ledger.audit().values.filter { $0.event == "saves-refused" }
            #expect(entries.map(\.peer) == [mallory.node.id])
            // Versions that this machine saves do not count.
            try await machine.save("chapter 2", in: first)
            heads[first] = try machine.heads(of: first)
            await mallory.stop()
            await machine.stop()
        }
        let node = try await SaveMachine.open("victim", in: folder)
        for (set, heads) in heads { #expect(try node.heads(of: set) == heads) }
        // The shelf holds the three versions that folders show, and the newest ones.
        #expect(node.engine.services.store.shelf.cachedByteCount < 64 << 10)
        #expect(try await node.engine.versions(of: sets(node)[0]).latest().count >= Int(length) + 1)
        await node.stop()
    }

    private func sets(_ machine: SaveMachine) -> [SaveSetID] { machine.engine.reports().map(\.entry.id) }

    @Test("an endless history is read only as far as there is room at once, until the way back is complete")
    func staged() async throws {
        let machine = try await SaveMachine.open("victim") { configuration in
            configuration.bounds.patience.answer = .seconds(3_600)
            configuration.bounds.staged = 1 << 20
        }
        let set = try await machine.add(["slot": "chapter 1"])
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        guard case .want = try await give(chain(400, of: set, by: mallory.seal), of: set, by: mallory) else {
            Issue.record("what is newest is wanted all the same")
            return
        }
        let given = try await machine.node.ledger.snapshots.given(by: mallory.node.id)
        #expect((1...1 << 20).contains(given.bytes) && given.snapshots < 256)
        await mallory.stop()
        await machine.stop()
    }

    @Test("an endless history can't name more peers in a version, or make it longer, than any household needs")
    func forms() async throws {
        for (code, change) in [
            (
                "save.bad-version",
                { (bytes: inout [UInt8]) in
                    // Adds one more peer after the last. The count is at byte 57, and each peer takes 104 bytes.
                    bytes[58] += 1
                    bytes.insert(contentsOf: bytes[59..<59 + 104], at: 59 + 64 * 104)
                }
            ),
            ("save.too-many-bytes", { $0 += [UInt8](repeating: 0, count: 512 << 10) }),
        ] as [(ErrorCode, (inout [UInt8]) -> Void)] {
            let machine = try await SaveMachine.open("victim") { $0.bounds.patience.answer = .seconds(3_600) }
            let set = try await machine.add(["slot": "chapter 1"])
            let mallory = try await HostilePeer.open(victim: machine, sharing: set)
            let snapshot = try chain(1, of: set, by: mallory.seal)[0]
            var bytes = snapshot.encoded
            change(&bytes)
            try await mallory.announce(snapshot, as: bytes)
            #expect(try await mallory.refusal().code == code)
            await mallory.stop()
            await machine.stop()
        }
    }
}
