import Digests
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Transport
import Vocabulary

@Suite("A peer that speaks for another machine", .timeLimit(.minutes(5)))
struct ForgeryTests {
    /// Lets a peer announce a forged version. Expects that the machine refuses it, names the reason, and keeps nothing
    /// of it.
    @Engine
    private func refused(
        _ code: ErrorCode,
        _ made: @Engine (Forger) throws -> (snapshot: Snapshot, encoded: [UInt8])
    ) async throws {
        let machine = try await SaveMachine.open("victim") { $0.bounds.patience.answer = .seconds(3_600) }
        let set = try await machine.add(["slot": "chapter 1"])
        let heads = try machine.heads(of: set)
        let mallory = try await HostilePeer.open(victim: machine, sharing: set)
        let first = try #require(try machine.engine.report(of: set).versions.heads.first)
        let (snapshot, encoded) = try made(Forger(peer: mallory, first: first))
        try await mallory.announce(snapshot, as: encoded)
        #expect(try await mallory.refusal().code == code)
        try await machine.engine.untilNoted()
        let entries = try await machine.node.ledger.audit().values.filter { $0.event == "saves-refused" }
        #expect(entries.contains { $0.peer == mallory.node.id && $0.details.contains { $0.value == code.description } })
        #expect(try machine.heads(of: set) == heads)
        #expect(try await machine.engine.versions(of: set).latest().map(\.snapshot.id) == [first.id])
        await mallory.stop()
        await machine.stop()
    }

    @Test("a forger names the victim as the author of a first version, as if it was saved there")
    @Engine
    func forgedAuthor() async throws {
        try await refused("exchange.forged-author") { try $0.snapshot(by: $0.victim, $0.version([($0.victim, 1)])) }
    }

    @Test("a forger names the victim as the author of a version after the victim's own one, with a true counter")
    @Engine
    func ownVersionNeverMade() async throws {
        try await refused("exchange.forged-author") { forger in
            try forger.snapshot(by: forger.victim, forger.first.signedVersion) { $0.parents = [forger.unknown] }
        }
    }

    @Test(
        "a forger counts versions for the victim that it never made, after an unknown past",
        arguments: [2, 1 << 20, 1 << 61]
    )
    @Engine
    func forgedCounter(_ counter: UInt64) async throws {
        try await refused("exchange.forged-counter") { forger in
            try forger.snapshot(by: forger.own, forger.version([(forger.victim, counter), (forger.own, 1)])) {
                $0.parents = [forger.unknown]
            }
        }
    }

    @Test("a forger invents authors without having their keys")
    @Engine
    func inventedAuthors() async throws {
        try await refused("exchange.forged-counter") { forger in
            var parts: [(VersionSeal, UInt64)] = [(forger.own, 1)]
            for number in UInt8(1)..<60 {
                let key = try #require(PublicKey(bytes: [number] + [UInt8](repeating: 5, count: 31)))
                parts.append((forger.seal(pretending: key), 1))
            }
            return try forger.snapshot(by: forger.own, forger.version(parts)) {
                $0.parents = [forger.unknown]
            }
        }
    }

    @Test("a forger gives a first version other machines than its author, also such as have signed that")
    @Engine
    func firstWithOthers() async throws {
        try await refused("exchange.forged-version") { forger in
            try forger.snapshot(by: forger.own, forger.first.signedVersion.bumped(by: forger.own, in: forger.set))
        }
    }

    @Test("a forger uses a signature of the victim in another game for this one")
    @Engine
    func otherSet() async throws {
        try await refused("exchange.forged-counter") { forger in
            let honest = VersionSeal(forger.peer.victim.node.identity)
            let version = try SignedVersion().bumped(by: honest, in: .random(), beyond: 8)
            return try forger.snapshot(by: forger.own, version.bumped(by: forger.own, in: forger.set)) {
                $0.parents = [forger.unknown]
            }
        }
    }

    @Test(
        "a forger changes a byte of a signed snapshot: the time, the parents, the manifest",
        arguments: [-65, -100, -110, -130]
    )
    @Engine
    func altered(_ place: Int) async throws {
        try await refused("exchange.forged-author") { forger in
            let third = VersionSeal(Identity.ephemeral())
            let honest = try forger.snapshot(by: third, forger.first.signedVersion.bumped(by: third, in: forger.set)) {
                $0.parents = [forger.first.id]
            }.snapshot
            var encoded = honest.encoded
            encoded[encoded.count + place] ^= 1
            return (try Snapshot(kept: encoded, hashedBy: Digest.sha256), encoded)
        }
    }

    @Test("a forger names a key under which every machine can sign")
    @Engine
    func smallOrder() async throws {
        try await refused("save.bad-key") { forger in
            let (snapshot, honest) = try forger.snapshot(by: forger.own, forger.version([(forger.own, 1)]))
            let neutral = [1] + [UInt8](repeating: 0, count: 31)
            var encoded = honest
            // The author's field, after the letters, the form, the game and the origin.
            encoded.replaceSubrange(25..<57, with: neutral)
            return (snapshot, encoded)
        }
    }
}

/// The means of a peer to speak for others: its own key, and the versions that the victim sent it.
@Engine
private struct Forger {
    let peer: HostilePeer
    let first: Snapshot

    /// The id of no snapshot.
    let unknown = SnapshotID(words: (1, 1, 1, 1))

    var set: SaveSetID { peer.set }
    var own: VersionSeal { peer.seal }
    /// The victim's key, with signatures by another key.
    var victim: VersionSeal { seal(pretending: peer.victim.node.identity.publicKey) }

    func seal(pretending key: PublicKey) -> VersionSeal {
        let identity = peer.node.identity
        return VersionSeal(of: key, hashedBy: Digest.sha256) { identity.signature(of: $0) }
    }

    func version(_ parts: [(VersionSeal, UInt64)]) throws -> SignedVersion {
        try parts.reduce(SignedVersion()) { try $0.bumped(by: $1.0, in: set, beyond: $1.1 - 1) }
    }

    func snapshot(
        by author: VersionSeal,
        _ version: SignedVersion,
        _ change: (inout Snapshot.Draft) -> Void = { _ in }
    ) throws -> (snapshot: Snapshot, encoded: [UInt8]) {
        let manifest = [PieceReference(PieceID(words: (1, 2, 3, 4)), length: 9)]
        var draft = Snapshot.Draft(set: set, .captured, version: version, manifest: manifest)
        draft.time = 1
        change(&draft)
        let snapshot = try Snapshot(draft, sealedBy: author)
        return (snapshot, snapshot.encoded)
    }
}
