import Digests
import Ledger
import LinuxPlatform
import SaveRules
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("A peer with bad messages", .timeLimit(.minutes(5)))
struct HostileTests {
    /// Lets a hostile peer act. Expects that the machine refuses, names the reason, and leaves the game as it was.
    @Engine
    private func refused(
        _ code: ErrorCode,
        _ deed: @Engine (HostilePeer) async throws -> Void
    ) async throws {
        // The machine waits for answers as long as the test may take: on a busy computer an answer takes long.
        let machine = try await SaveMachine.open("victim") { $0.bounds.patience.answer = .seconds(3_600) }
        let set = try await machine.add(["slot": "chapter 1"])
        let heads = try machine.heads(of: set)
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        try await deed(mallory)
        #expect(try await mallory.refusal().code == code)
        try await machine.engine.untilNoted()
        let entries = try await machine.node.ledger.audit().values.filter { $0.event == "saves-refused" }
        #expect(entries.contains { $0.peer == mallory.node.id && $0.details.contains { $0.value == code.description } })
        #expect(machine.place().texts() == ["slot": "chapter 1"])
        #expect(try machine.heads(of: set) == heads)
        #expect(machine.place().changeCount.withLock { $0 } == 0)
        await mallory.stop()
        await machine.stop()
    }

    private static func manifest(_ entry: [UInt8]) -> [UInt8] { Array("HUDMANI".utf8) + [1] + entry + [0] }

    private static func entry(_ kind: UInt8, _ path: String, _ rest: [UInt8]) -> [UInt8] {
        [kind, 0, UInt8(path.utf8.count)] + Array(path.utf8) + rest
    }

    static let badManifests: [(ErrorCode, [UInt8])] = [
        ("save.bad-path", manifest(entry(1, "..", [1, 0xED]))),
        ("save.bad-path", manifest(entry(1, "a/../../b", [1, 0xED]))),
        ("save.bad-path", manifest(entry(2, "/etc/passwd", [UInt8](repeating: 0, count: 18)))),
        ("save.link-leads-out", manifest(entry(3, "link", [0, 11] + Array("/etc/passwd".utf8)))),
        ("save.link-leads-out", manifest(entry(3, "link", [0, 5] + Array("../up".utf8)))),
        ("save.unknown-entry", manifest(entry(9, "device", [1, 0xED]))),
        ("save.bad-mode", manifest(entry(1, "folder", [0x0F, 0xFF]))),
        ("save.no-folder-around", manifest(entry(1, "a/b", [1, 0xED]))),
        (
            "save.too-many-pieces",
            manifest(entry(2, "huge", [1, 0xED] + [UInt8](repeating: 0, count: 12) + [0, 0x98, 0x96, 0x80]))
        ),
        ("save.foreign", Array("no manifest at all".utf8)),
    ]

    @Test(
        "a peer offers a folder that leads out, has impossible entries, or is endless",
        arguments: badManifests.indices
    )
    @Engine
    func manifests(_ number: Int) async throws {
        let (code, bytes) = Self.badManifests[number]
        try await refused(code) { mallory in
            try await mallory.push(try mallory.snapshot(of: bytes), manifest: bytes)
        }
    }

    @Test("a peer offers a folder of ten million entries, of which none is requested")
    @Engine
    func tenMillion() async throws {
        try await refused("save.too-many-bytes") { mallory in
            // Each piece takes nine bytes at least.
            let pieces = (UInt8(0)..<24).map { [UInt8](repeating: $0, count: 1) }
            let small = try mallory.snapshot(inPieces: pieces)
            var encoded = small.encoded
            for number in pieces.indices {
                let length = encoded.count - Signature.byteCount - number * (Digest.byteCount + 4) - 4
                encoded.replaceSubrange(length..<(length + 4), with: [0, 0x40, 0, 0])
            }
            try await mallory.announce(small, as: encoded)
        }
    }

    @Test("a peer offers a folder of more entries than fit in memory, and the rest is not read")
    @Engine
    func endlessManifest() async throws {
        let pieces = Self.endlessManifest
        try await refused("save.list-too-long") { mallory in
            try await mallory.push(try mallory.snapshot(inPieces: pieces), inPieces: pieces)
        }
    }

    /// The pieces of a manifest: over a million folders in a row, then three times as many bytes, which no reader
    /// reaches.
    private static var endlessManifest: [[UInt8]] {
        var pieces = [Array("HUDMANI".utf8) + [1]]
        for first in UInt8(0)..<34 {
            var piece: [UInt8] = []
            piece.reserveCapacity(9 << 15)
            for rest in 0..<32_768 {
                // The four bytes of a name: all printable, in the order of the numbers.
                let (second, third, fourth) = (UInt8(rest >> 10), UInt8(rest >> 5 & 31), UInt8(rest & 31))
                piece += [1, 0, 4, 0x41 + first, 0x41 + second, 0x41 + third, 0x41 + fourth, 1, 0xED]
            }
            pieces.append(piece)
        }
        return pieces + [[UInt8]](repeating: [UInt8](repeating: 1, count: 1 << 20), count: 37)
    }

    @Test("a version with many pieces waits while others arrive that have as many as fit in memory")
    @Engine
    func manyPieces() async throws {
        let machine = try await SaveMachine.open("victim") { $0.bounds.arrivingPieceCount = 5_000 }
        let set = try await machine.add(["slot": "chapter 1"])
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        var entry = Self.entry(2, "huge", [1, 0xA4] + [UInt8](repeating: 0, count: 12) + [0, 0, 0x13, 0x89])
        for number in UInt16(0)..<5_001 {
            let id = [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)] + [UInt8](repeating: 7, count: 30)
            entry += id + [0, 0, 0, 9]
        }
        let manifest = Self.manifest(entry)
        try await mallory.push(try mallory.snapshot(of: manifest), manifest: manifest)
        let code = try await machine.next(in: set) { if case .trouble(let error) = $0 { error.code } else { nil } }
        #expect(code == "saves.too-much-arriving")
        await mallory.stop()
        await machine.stop()
    }

    @Test("a peer sends messages that need an answer, and reads none")
    @Engine
    func takesNothing() async throws {
        let machine = try await SaveMachine.open("victim") { $0.bounds.waiting.messages = 8 }
        let set = try await machine.add(["slot": "chapter 1"])
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        let peer = try #require(machine.engine.connections.peers[mallory.node.id])
        // Sends directly, as nine requests in a row would: messages that wait for their turn are not sent in between.
        for _ in 0..<9 { peer.send(.ask(set, ExchangeEpoch(1), HistoryRequest(wanted: [], known: []))) }
        #expect(try await mallory.refusal().code == "exchange.too-much")
        #expect(peer.presence.isEnding)
        await mallory.stop()
        await machine.stop()
    }

    @Test("a peer answers late, at first not at all, and its version arrives all the same")
    @Engine
    func slow() async throws {
        let machine = try await SaveMachine.open("patient") { $0.bounds.patience.answer = .milliseconds(50) }
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let bytes = Manifest.empty.encoded
        let newer = try peer.snapshot(of: bytes, after: machine.engine.report(of: set).versions.shown)
        let heads = SaveMessage.heads(set, [SnapshotHead(newer.id, newer.version)])
        try await peer.say(heads)
        _ = try await peer.next { if case .ask = $0 { true } else { nil } }
        // A new connection makes it ask again, and so does an honest machine that hears of the game once more.
        for isAnswered in [false, true] {
            _ = try await peer.next { if case .offer = $0 { true } else { nil } }
            try await peer.say(heads)
            let epoch = try await peer.next { if case .ask(_, let epoch, _) = $0 { epoch } else { nil } }
            if isAnswered { try await peer.deliver(.history(set, epoch, [newer.encoded])) }
        }
        let (epoch, wanted) = try await peer.nextWant()
        // A piece that is only late counts.
        let kept = try machine.engine.games.game(set)
        while !kept.machine.peers.silent.contains(peer.node.id) { try await othersTurn() }
        try await peer.deliver(.piece(set, epoch, wanted[0].id, bytes))
        try await machine.untilApplied(newer.id, in: set)
        await peer.stop()
        await machine.stop()
    }

    /// A game for which a peer has named versions without end.
    @Engine
    private func flooded(in folder: TemporaryFolder) async throws -> SaveSetID {
        let machine = try await SaveMachine.open("victim", in: folder) { $0.bounds.patience.answer = .seconds(3_600) }
        let set = try await machine.add(["slot": "chapter 1"])
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        let kept = try machine.engine.games.game(set)
        for round in 0..<4 {
            let snapshots = try (0..<SnapshotHead.maximumCount).map { number in
                try mallory.snapshot(of: [UInt8(round), UInt8(number)], counter: UInt64(round * 64 + number + 1))
            }
            try await mallory.say(.heads(set, snapshots.map { SnapshotHead($0.id, $0.version) }))
            let answering = mallory.keepAnswering(with: snapshots)
            defer { answering.cancel() }
            while !snapshots.contains(where: { kept.machine.downloads.running[$0.id] != nil }) {
                try await othersTurn()
            }
            while kept.machine.downloads.isSearching { try await othersTurn() }
            #expect(kept.machine.downloads.running.count <= SnapshotHead.maximumCount)
        }
        await mallory.stop()
        await machine.stop()
        return set
    }

    @Test("a peer names new versions without end: at most the limit is fetched, also after a restart")
    @Engine
    func endless() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await flooded(in: folder)
        let again = try await SaveMachine.open("victim", in: folder)
        while try again.engine.games.game(set).machine.downloads.isSearching { try await othersTurn() }
        #expect(try again.engine.games.game(set).machine.downloads.running.count <= SnapshotHead.maximumCount)
        await again.stop()
    }

    @Test(
        "a peer sends concurrent versions without end, also instead of another: a game keeps at most its limit",
        arguments: [false, true]
    )
    @Engine
    func crowd(areChildren: Bool) async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        let kept = try machine.engine.games.game(set)
        var parent = areChildren ? try machine.engine.report(of: set).versions.shown : nil
        // `left` is the number of versions that don't fit. New ones are kept next to the present heads, and children
        // replace the head that they follow.
        for (round, left) in [areChildren ? 0 : 1, areChildren ? 63 : 64].enumerated() {
            var manifests: [PieceID: [UInt8]] = [:]
            let snapshots = try (0..<SnapshotHead.maximumCount).map { number in
                let target = try #require(LinkTarget("\(round).\(number)".utf8, depth: 0))
                let manifest = try Manifest([ManifestEntry(SavePath("slot"), .link(target))]).encoded
                let counter = UInt64(round * 64 + number + 1)
                let made = try mallory.snapshot(of: manifest, counter: counter, after: parent)
                manifests[made.manifest[0].id] = manifest
                return made
            }
            try await mallory.say(.heads(set, snapshots.map { SnapshotHead($0.id, $0.version) }))
            let epoch = try await mallory.next { if case .ask(_, let epoch, _) = $0 { epoch } else { nil } }
            try await mallory.deliver(.history(set, epoch, snapshots.map(\.encoded)))
            while manifests.count > left {
                let (epoch, wanted) = try await mallory.nextWant()
                for piece in wanted {
                    let known = manifests.removeValue(forKey: piece.id)
                    let manifest = try #require(known)
                    try await mallory.deliver(.piece(set, epoch, piece.id, manifest))
                }
            }
            while kept.machine.heads.heads.count < SnapshotHead.maximumCount { try await othersTurn() }
            if areChildren { parent = snapshots.first { kept.machine.heads.heads.contains($0.id) } }
        }
        while try await machine.node.ledger.snapshots.given(by: mallory.node.id).snapshots < 2
            * SnapshotHead.maximumCount
        {
            try await othersTurn()
        }
        while kept.machine.downloads.isSearching || !kept.machine.downloads.running.isEmpty { try await othersTurn() }
        #expect(kept.machine.heads.heads.count == SnapshotHead.maximumCount)
        await mallory.stop()
        await machine.stop()
    }

    @Test("a peer whose one answer takes longer than the longest wait is not silent while it arrives")
    @Engine
    func slowLine() async throws {
        let machine = try await SaveMachine.open("patient") { bounds in
            (bounds.bounds.patience.answer, bounds.bounds.patience.answerBytes) = (.milliseconds(500), 1)
        }
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let newer = try peer.snapshot(of: Manifest.empty.encoded, after: machine.engine.report(of: set).versions.shown)
        try await peer.say(.heads(set, [SnapshotHead(newer.id, newer.version)]))
        let epoch = try await peer.next { if case .ask(_, let epoch, _) = $0 { epoch } else { nil } }
        let kept = try machine.engine.games.game(set)
        let answer = SaveDelivery.history(set, epoch, [newer.encoded]).encoded
        let asked = try #require(kept.machine.peers.epochs[peer.node.id])
        let there = try #require(machine.engine.connections.peers[peer.node.id])
        for byte in answer.prefix(5) {
            try await peer.deliver([byte])
            while there.patience.arrived == 0 { try await othersTurn() }
            // Another waiting time begins, which counts from zero.
            while there.patience.arrived > 0 { try await othersTurn() }
        }
        try await peer.deliver(Array(answer.dropFirst(5)))
        _ = try await peer.nextWant()
        #expect(kept.machine.peers.epochs[peer.node.id] == asked)
        #expect(!kept.machine.peers.silent.contains(peer.node.id))
        await peer.stop()
        await machine.stop()
    }

    @Test("a peer that repeats unrequested answers is as silent as one that sends none")
    @Engine
    func besideTheQuestion() async throws {
        let machine = try await SaveMachine.open("patient") { $0.bounds.patience.answer = .seconds(600) }
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let newer = try peer.snapshot(of: Manifest.empty.encoded, after: machine.engine.report(of: set).versions.shown)
        try await peer.announce(newer)
        let (epoch, _) = try await peer.nextWant()
        let there = try #require(machine.engine.connections.peers[peer.node.id])
        try await peer.deliver(.history(set, epoch.next, []))
        // If the wait had begun again, nothing would have arrived in it.
        while there.patience.arrived == 0 { try await othersTurn() }
        await peer.stop()
        await machine.stop()
    }

    @Test("a peer sends other content than it has announced")
    @Engine
    func otherContents() async throws {
        try await refused("exchange.other-contents") { mallory in
            try await mallory.push(try mallory.snapshot(of: Manifest.empty.encoded), manifest: Array("other".utf8))
        }
    }

    @Test("a peer sends an invalid snapshot")
    @Engine
    func noSnapshot() async throws {
        try await refused("save.foreign") { mallory in
            let snapshot = try mallory.snapshot(of: Manifest.empty.encoded)
            try await mallory.announce(snapshot, as: Array("HUDSNAQ".utf8) + [UInt8](repeating: 0, count: 100))
        }
    }

    @Test("a peer claims in a snapshot an act of its own that it never did")
    @Engine
    func forgedVersion() async throws {
        try await refused("exchange.forged-version") { mallory in
            let snapshot = try mallory.snapshot(of: Manifest.empty.encoded)
            let other = try VersionVector().bumped(by: mallory.node.id, beyond: 77)
            try await mallory.say(.heads(mallory.set, [SnapshotHead(snapshot.id, other)]))
            let epoch = try await mallory.next { if case .ask(_, let epoch, _) = $0 { epoch } else { nil } }
            try await mallory.deliver(.history(mallory.set, epoch, [snapshot.encoded]))
        }
    }

    @Test("a peer sends an invalid message, or an invalid delivery, and is disconnected")
    @Engine
    func noMessage() async throws {
        try await refused("save.unknown-message") { mallory in try await mallory.say([99] + mallory.set.bytes) }
        try await refused("save.too-many-bytes") { mallory in
            // The machine may close the connection before the last byte is written.
            try? await mallory.deliver([0xFF, 0xFF, 0xFF, 0xFF, 1])
        }
    }

    @Test("a peer sends history that no machine requested")
    @Engine
    func unasked() async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        let snapshot = try mallory.snapshot(of: Manifest.empty.encoded)
        try await mallory.announce(snapshot)
        let epoch = try await mallory.next { if case .want(_, let epoch, _, _) = $0 { epoch } else { nil } }
        try await mallory.deliver(.history(set, epoch, [snapshot.encoded]))
        #expect(try await mallory.refusal().code == "exchange.unasked")
        await mallory.stop()
        await machine.stop()
    }

    @Test("a peer sends another snapshot than it has announced, also one that names the announced one as its parent")
    @Engine
    func otherSnapshot() async throws {
        try await refused("exchange.other-snapshot") { mallory in
            let announced = try mallory.snapshot(of: Manifest.empty.encoded)
            let other = try mallory.snapshot(of: Manifest.empty.encoded, counter: 5)
            try await mallory.announce(announced, as: other.encoded)
        }
        try await refused("exchange.other-snapshot") { mallory in
            let announced = try mallory.snapshot(of: Manifest.empty.encoded)
            let child = try mallory.snapshot(of: Manifest.empty.encoded, parents: [announced.id])
            try await mallory.announce(announced, as: child.encoded)
        }
    }

    @Test("a peer asks for a game, or for pieces of one, without a right to it, and learns nothing")
    @Engine
    func curious() async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        let secret = try await machine.add(["slot": "secret"], "secret")
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        let snapshot = try #require(try machine.engine.report(of: secret).versions.heads.first)
        try await mallory.say(.offer(SaveOffer(secret, named: SaveSetName("secret"))))
        try await mallory.say(.heads(secret, []))
        try await mallory.say(.ask(secret, ExchangeEpoch(1), HistoryRequest(wanted: [snapshot.id], known: [])))
        // In the game that it shares, it asks for pieces that are not part of that game.
        try await mallory.say(.want(set, ExchangeEpoch(2), snapshot.id, snapshot.manifest))
        let found = try await mallory.nextDelivery()
        #expect(found == .missing(set, ExchangeEpoch(2), snapshot.manifest.map(\.id)))
        await mallory.stop()
        await machine.stop()
    }

    @Test("a sound peer is heard again after a refused one has come and gone")
    @Engine
    func afterwards() async throws {
        let shared = try await SharedSet.open()
        let mallory = try await HostilePeer.open(victim: shared.one, sharing: shared.set)
        try await mallory.say([99])
        _ = try await mallory.refusal()
        try await shared.other.save("chapter 2", in: shared.set)
        try await shared.one.untilApplied(in: shared.set)
        #expect(shared.one.place().texts() == ["slot": "chapter 2"])
        await mallory.stop()
        await shared.stop()
    }
}

extension HostilePeer {
    func nextStream() async throws -> IncomingStream {
        while let event = await session.events.next() {
            if case .stream(let stream) = event { return stream }
        }
        throw CancellationError()
    }

    /// The first delivery of the next stream.
    func nextDelivery() async throws -> SaveDelivery {
        let stream = try await nextStream()
        var reader = SaveDeliveryReader()
        while let bytes = try await stream.read() {
            reader.append(bytes)
            if let found = try reader.next() { return found }
        }
        throw CancellationError()
    }
}

extension SaveSyncEngine {
    /// Waits until pending audit entries are in the ledger.
    func untilNoted() async throws {
        let turn = Resumption<Void>()
        services.tasks.add { turn.resume(with: .success(())) }
        try await turn.value()
        // The ledger handles requests in order, so the earlier ones are done.
        _ = try await services.ledger.audit(limit: 1)
    }
}
