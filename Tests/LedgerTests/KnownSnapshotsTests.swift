@testable import Ledger
import SaveRules
import Testing
import Vocabulary

@Suite("Versions in the ledger")
struct KnownSnapshotsTests {
    private let kit = LedgerKit()
    private let celeste = SaveSetID(high: 1, low: 2)
    private let doom = SaveSetID(high: 3, low: 4)

    private static let hash: ContentHash = { bytes in
        (1...4 as ClosedRange<UInt64>).flatMap { seed in
            let word = bytes.reduce(seed &* 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
            return withUnsafeBytes(of: word) { Array($0) }
        }
    }

    private func snapshot(_ number: UInt64, of set: SaveSetID, peers: UInt8 = 1) throws -> Snapshot {
        let seals = try (0..<peers).map(Self.seal)
        let version = try seals.reduce(SignedVersion()) { try $0.bumped(by: $1, in: set, beyond: number - 1) }
        let piece = PieceReference(PieceID(words: (number, 0, 0, 0)), length: 1)
        let draft = Snapshot.Draft(set: set, .captured, version: version, manifest: [piece])
        return try Snapshot(draft, sealedBy: seals[0])
    }

    /// A version with an empty signature, since the ledger stores only versions that were checked before.
    private static func seal(_ number: UInt8) throws -> VersionSeal {
        let signature = try #require(Signature(bytes: [UInt8](repeating: number, count: Signature.byteCount)))
        let key = try #require(PublicKey(bytes: [number] + [UInt8](repeating: 7, count: 31)))
        return VersionSeal(of: key, hashedBy: Self.hash) { _ in signature }
    }

    private func openWithSets() async throws -> Ledger {
        let ledger = try await kit.open()
        try await ledger.saveSets.put(SaveSetEntry(celeste, named: SaveSetName("celeste"), at: "/a"))
        try await ledger.saveSets.put(SaveSetEntry(doom, named: SaveSetName("doom"), at: "/b"))
        return ledger
    }

    private func shelf(of ledger: Ledger, cache: Int = 4 << 20) async throws -> SnapshotShelf {
        try await ledger.openShelf(cacheByteCount: cache) { bytes, id in
            try? Snapshot(kept: bytes, expecting: id, hashedBy: Self.hash)
        }
    }

    @Test(
        "The ledger limits the versions of one peer and of all, and those of a removed game don't count"
    )
    func limits() async throws {
        let ledger = try await openWithSets()
        func giver(_ number: UInt8, _ limit: Int = 3, bytes: Int = 1 << 20) -> SnapshotGiver {
            SnapshotGiver(
                peerID(number),
                within: GivenLimits(snapshots: limit, bytes: bytes),
                allPeers: GivenLimits(snapshots: 5, bytes: 1 << 20)
            )
        }
        let (here, there) = (
            try (1...4).map { try snapshot($0, of: celeste) }, try (1...4).map { try snapshot($0, of: doom) }
        )
        #expect(try await ledger.snapshots.know(Array(here[0..<2]), from: giver(1)) == nil)
        #expect(try await ledger.snapshots.know(Array(there[0..<2]), from: giver(1)) == .peer)
        #expect(try await ledger.snapshots.known(of: doom).isEmpty)
        #expect(try await ledger.snapshots.know([there[0]], from: giver(1)) == nil)
        #expect(try await ledger.snapshots.know([there[1]], from: giver(2, bytes: 16)) == .peer)
        #expect(try await ledger.snapshots.know(Array(there[1...]), from: giver(2)) == .allPeers)
        // A version of this machine is always stored, whatever other machines sent.
        #expect(try await ledger.snapshots.know(Array(here[2...])) == nil)
        #expect(try await ledger.snapshots.know(Array(here[2...]), from: giver(2)) == nil)
        let before = try await ledger.snapshots.given(by: peerID(1))
        #expect(before == GivenLimits(snapshots: 3, bytes: here[0].byteCount * 3))
        try await ledger.saveSets.remove(celeste)
        #expect(try await ledger.snapshots.given(by: peerID(1)) == GivenLimits(snapshots: 1, bytes: here[0].byteCount))
    }

    @Test("Numbers follow the order of arrival, and names are found by their beginning")
    func numbers() async throws {
        let ledger = try await openWithSets()
        let all = try (1...3).map { try snapshot($0, of: celeste) }
        try await ledger.snapshots.know([all[2]], at: someTime(1))
        try await ledger.snapshots.know([snapshot(1, of: doom)], at: someTime(2))
        try await ledger.snapshots.know(all, at: someTime(3))
        let order = [all[2], all[0], all[1]].map(\.id)
        #expect(try await ledger.snapshots.known(of: celeste).map(\.id) == order)
        #expect(try await ledger.snapshots.known(of: celeste).map(\.place) == [1, 2, 3])
        #expect(try await ledger.snapshots.known(of: celeste, last: 2).map(\.id) == Array(order[1...]))
        let number = all[0].number
        let numbered = try await ledger.snapshots.known(of: celeste, numbered: number, limit: 9)
        #expect(Set(numbered.map(\.id)) == Set(all.filter { $0.number == number }.map(\.id)))
        #expect(try await ledger.snapshots.known(of: celeste, numbered: 99, limit: 9).isEmpty)
        let digits = String(all[1].id.description.prefix(10))
        let names = try #require(SnapshotID.names(beginningWith: digits))
        #expect(try await ledger.snapshots.known(of: celeste, named: names, limit: 2).map(\.id) == [all[1].id])
        for wrong in ["abc", "wxyz", "+123", ""] { #expect(SnapshotID.names(beginningWith: wrong) == nil) }
        let shelf = try await shelf(of: ledger)
        #expect(shelf.arrival(of: all[0].id, in: celeste)?.place == 2)
        #expect(shelf.arrival(of: all[0].id, in: celeste)?.time == someTime(3))
    }

    @Test(
        "Complete and newest versions are known after a restart, and no number is used twice"
    )
    func standing() async throws {
        let all = try (1...3).map { try snapshot($0, of: celeste) }
        do {
            let ledger = try await openWithSets()
            #expect(try await ledger.snapshots.standing(of: celeste).heads == nil)
            try await ledger.snapshots.know(all, usedCounter: 9, at: someTime(1))
            try await ledger.snapshots.noteHeld(
                HeldChange(heads: [all[1].id], come: [all[0].id, all[1].id]),
                of: celeste
            )
            let change = HeldChange(heads: [all[2].id], come: [all[2].id], gone: [all[0].id])
            try await ledger.saveSets.setStanding(of: celeste, applied: all[2].id, usedCounter: 3, change)
        }
        let ledger = try await kit.open()
        let standing = try await ledger.snapshots.standing(of: celeste)
        #expect(standing.heads == [all[2].id] && standing.held == [all[1].id, all[2].id])
        #expect(try await ledger.snapshots.heldArrivals(of: celeste).map(\.id) == [all[1].id, all[2].id])
        #expect(try await ledger.saveSets.all().values.first { $0.id == celeste }?.usedCounter == 9)
        #expect(
            try await ledger.snapshots.unknown(among: [all[0].id, SnapshotID(words: (1, 2, 3, 4))], of: celeste).count
                == 1
        )
    }

    @Test("The cache keeps at most its limit in memory for all games, and frees all of it at rest")
    func cache() async throws {
        let ledger = try await openWithSets()
        let all = try [celeste, doom].flatMap { set in try (1...200).map { try snapshot($0, of: set, peers: 40) } }
        for set in [celeste, doom] { try await ledger.snapshots.know(all.filter { $0.set == set }) }
        let shelf = try await shelf(of: ledger, cache: 64 << 10)
        for _ in 0..<2 {
            for snapshot in all { #expect(shelf.snapshot(snapshot.id, of: snapshot.set)?.version == snapshot.version) }
            #expect((1...64 << 10).contains(shelf.cachedByteCount))
        }
        // The versions of one game are unknown to another.
        #expect(shelf.snapshot(all[0].id, of: doom) == nil)
        shelf.forget()
        #expect(shelf.cachedByteCount == 0)
    }

    @Test("A version that was changed on the disk does not count, and opening reads none of them")
    func changed() async throws {
        let first = try snapshot(1, of: celeste)
        do { try await openWithSets().snapshots.know([first]) }
        try kit.edit("UPDATE save_snapshots SET bytes = zeroblob(100)")
        let ledger = try await kit.open()
        #expect(ledger.opening == .opened)
        #expect(try await shelf(of: ledger).snapshot(first.id, of: celeste) == nil)
    }

    @Test("After damage was found, the next opening checks all of the ledger")
    func suspicion() async throws {
        let first = try snapshot(1, of: celeste)
        do { try await openWithSets().snapshots.know([first]) }
        // A table and its index differ.
        var bytes = try #require(kit.bytes())
        let places = bytes.indices.filter { bytes[$0...].starts(with: first.id.bytes) }
        #expect(places.count == 2)
        bytes[try #require(places.first)] ^= 1
        try kit.replaceFile(with: bytes)
        do { #expect(try await Ledger.open(at: kit.path, wholeByteCount: 0).opening == .opened) }
        try LedgerFolder(at: kit.path).suspect()
        guard case .restored = try await Ledger.open(at: kit.path, wholeByteCount: 0).opening else {
            Issue.record("damage was looked for and not found")
            return
        }
        #expect(!(try LedgerFolder(at: kit.path).isSuspect))
    }
}
