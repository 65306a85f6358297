import Digests
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("Pieces of one game, and rights to another", .timeLimit(.minutes(5)))
struct OtherSetsTests {
    private static func pieces(_ texts: [String]) -> [PieceReference] {
        texts.map { PieceReference(PieceID(of: Array($0.utf8), hashedBy: Digest.sha256), length: $0.utf8.count) }
    }

    /// The manifest of one file, made of these texts in order.
    private static func manifest(_ texts: [String]) throws -> [UInt8] {
        let time = FileTime(seconds: 0, nanoseconds: 0)
        let file = SavedFile(mode: .readableFile, modified: time, pieces: pieces(texts))
        return try Manifest([ManifestEntry(SavePath("world"), .file(file))]).encoded
    }

    /// Sends a version and its manifest. Returns once the machine knows which pieces of its files it must fetch.
    @Engine
    private static func push(_ snapshot: Snapshot, of texts: [String], by peer: HostilePeer) async throws {
        try await peer.push(snapshot, manifest: manifest(texts))
        let kept = try peer.victim.engine.games.game(peer.set)
        while let state = kept.machine.downloads.running[snapshot.id]?.fetch.state,
            [.manifest, .reading].contains(state)
        {
            try await othersTurn()
        }
        // Expects that the machine requests a piece: otherwise the test would wait for a request forever.
        try #require(kept.machine.downloads.running[snapshot.id]?.fetch.state == .contents)
    }

    @Test("a piece that only another game has is requested like any, and not handed out")
    @Engine
    func foreign() async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        _ = try await machine.add(["slot": "secret"], "secret")
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let secret = Self.pieces(["secret"])
        let snapshot = try peer.snapshot(of: Self.manifest(["secret"]))
        try await Self.push(snapshot, of: ["secret"], by: peer)
        let (epoch, wanted) = try await peer.nextWant()
        #expect(wanted == secret)
        try await peer.say(.want(set, ExchangeEpoch(7), snapshot.id, secret))
        #expect(try await peer.nextDelivery() == .missing(set, ExchangeEpoch(7), secret.map(\.id)))
        // A machine that has the piece can deliver it, as any other piece.
        try await peer.deliver(.piece(set, epoch, secret[0].id, Array("secret".utf8)))
        try await machine.next(in: set) { if case .arrived(snapshot.id) = $0 { true } else { nil } }
        await peer.stop()
        await machine.stop()
    }

    @Test("a piece that only another game has is not handed out as one of a manifest either")
    @Engine
    func foreignManifest() async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        _ = try await machine.add(["slot": "secret"], "secret")
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let secret = Self.pieces(["secret"])
        let snapshot = try peer.snapshot(of: Array("secret".utf8))
        try await peer.announce(snapshot)
        let kept = try machine.engine.games.game(set)
        while kept.machine.heads.graph[snapshot.id] == nil || kept.machine.downloads.isSearching {
            try await othersTurn()
        }
        try await peer.say(.want(set, ExchangeEpoch(7), snapshot.id, secret))
        #expect(try await peer.nextDelivery() == .missing(set, ExchangeEpoch(7), secret.map(\.id)))
        try #require(kept.machine.downloads.running[snapshot.id]?.fetch.remainingCount == 1)
        await peer.stop()
        await machine.stop()
    }

    @Test("a piece that the game itself has, even in an old version only, is not requested again")
    @Engine
    func own() async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        for chapter in 2...4 { try await machine.save("chapter \(chapter)", in: set) }
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let texts = ["chapter 1", "chapter 4", "chapter 2", "chapter 5"]
        try await Self.push(try peer.snapshot(of: Self.manifest(texts)), of: texts, by: peer)
        #expect(try await peer.nextWant().1 == Self.pieces(["chapter 5"]))
        await peer.stop()
        await machine.stop()
    }

    @Test("a piece that came for a version that was overtaken before it was complete is not requested again")
    @Engine
    func overtaken() async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let first = try peer.snapshot(of: Self.manifest(["one", "two"]))
        try await Self.push(first, of: ["one", "two"], by: peer)
        try await Self.give("one", of: first, to: machine, by: peer)
        let texts = ["one", "two", "three"]
        try await Self.push(try peer.snapshot(of: Self.manifest(texts), after: first), of: texts, by: peer)
        #expect(try await peer.nextWant().1 == Self.pieces(["two", "three"]))
        await peer.stop()
        await machine.stop()
    }

    @Test("after a restart only the missing pieces are requested, and those that another game has")
    @Engine
    func restarted() async throws {
        let folder = TemporaryFolder.inMemory()
        let snapshot = try await Self.interrupted(in: folder)
        let machine = try await SaveMachine.open("victim", in: folder)
        let peer = try await HostilePeer.open(victim: machine, sharing: snapshot.set)
        try await peer.say(.heads(snapshot.set, [SnapshotHead(snapshot.id, snapshot.version)]))
        #expect(try await peer.nextWant().1 == Self.pieces(["secret", "two"]))
        await peer.stop()
        await machine.stop()
    }

    /// A machine whose program ended while a version arrived. One piece of it is here, and one is in another game.
    @Engine
    private static func interrupted(in folder: TemporaryFolder) async throws -> Snapshot {
        let machine = try await SaveMachine.open("victim", in: folder)
        let set = try await machine.add(["slot": "chapter 1"])
        _ = try await machine.add(["slot": "secret"], "secret")
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let texts = ["one", "secret", "two"]
        let snapshot = try peer.snapshot(of: manifest(texts))
        try await push(snapshot, of: texts, by: peer)
        try await give("one", of: snapshot, to: machine, by: peer)
        // This first writes everything that arrived.
        _ = try await machine.engine.upkeep.usage()
        await peer.stop()
        await machine.stop()
        return snapshot
    }

    /// Sends the first of the next requested pieces, and waits until it is stored.
    @Engine
    private static func give(
        _ text: String,
        of snapshot: Snapshot,
        to machine: SaveMachine,
        by peer: HostilePeer
    ) async throws {
        let (epoch, wanted) = try await peer.nextWant()
        let piece = pieces([text])[0]
        #expect(wanted.first == piece)
        let kept = try machine.engine.games.game(peer.set)
        let count = try #require(kept.machine.downloads.running[snapshot.id]?.fetch.remainingCount)
        try await peer.deliver(.piece(peer.set, epoch, piece.id, Array(text.utf8)))
        while kept.machine.downloads.running[snapshot.id]?.fetch.remainingCount == count { try await othersTurn() }
    }
}
