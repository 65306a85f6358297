import Database
@testable import Ledger
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Games in the ledger", .timeLimit(.minutes(5)))
struct SaveSetTests {
    let kit = LedgerKit()
    let celeste = SaveSetID(high: 1, low: 2)

    private func entry() throws -> SaveSetEntry {
        var entry = SaveSetEntry(celeste, named: try SaveSetName("celeste"), at: "/games/celeste")
        entry.scope = SetScope(
            ignored: try PathPatterns(["*.log", "", "!keep.log"]),
            local: try PathPatterns(["/keys"])
        )
        entry.chosen = ChosenNames([try FileName("slot 1"), try FileName("é")])
        entry.rules = "scores: best\n"
        entry.program = "celeste.x86"
        entry.retention = RetentionRule(count: 3, age: .seconds(60), space: 1 << 40)
        return entry
    }

    private func snapshot(_ counter: UInt64) throws -> Snapshot {
        let piece = PieceReference(PieceID(words: (counter, 0, 0, 0)), length: 9)
        let signature = try #require(Signature(bytes: [UInt8](repeating: 1, count: Signature.byteCount)))
        let hash: ContentHash = { bytes in (UInt8(0)..<32).map { place in bytes.reduce(place) { $0 &* 31 &+ $1 } } }
        let key = try #require(PublicKey(bytes: [UInt8](repeating: 1, count: 32)))
        let seal = VersionSeal(of: key, hashedBy: hash) { _ in signature }
        let version = try SignedVersion().bumped(by: seal, in: celeste, beyond: counter)
        let draft = Snapshot.Draft(set: celeste, .captured, version: version, manifest: [piece])
        return try Snapshot(draft, sealedBy: seal)
    }

    @Test("A game, its settings and its state survive a restart")
    func restart() async throws {
        let entry = try entry()
        let shown = SnapshotID(words: (1, 2, 3, 4))
        do {
            let ledger = try await kit.open()
            try await ledger.saveSets.put(entry)
            try await ledger.saveSets.setStanding(of: celeste, applied: shown, usedCounter: 7)
            // A used number is never used again, even if a later call names a lower one.
            try await ledger.saveSets.setStanding(of: celeste, applied: shown, usedCounter: 5)
        }
        let found = try await kit.open().saveSets.all().values
        var expected = entry
        (expected.applied, expected.usedCounter) = (shown, 7)
        #expect(found == [expected])
    }

    @Test("A change of settings keeps the state of the game")
    func settings() async throws {
        let ledger = try await kit.open()
        var entry = try entry()
        try await ledger.saveSets.put(entry)
        try await ledger.saveSets.setStanding(of: celeste, applied: SnapshotID(words: (1, 2, 3, 4)), usedCounter: 7)
        (entry.path, entry.settleMilliseconds, entry.retention.space) = ("/elsewhere", 900, nil)
        try await ledger.saveSets.put(entry)
        let found = try #require(try await ledger.saveSets.all().values.first)
        #expect((found.path, found.settleMilliseconds) == ("/elsewhere", 900))
        #expect(found.retention.space == nil)
        #expect(found.usedCounter == 7)
    }

    @Test("A name belongs to one game")
    func names() async throws {
        let ledger = try await kit.open()
        try await ledger.saveSets.put(try entry())
        let other = SaveSetEntry(SaveSetID(high: 3, low: 4), named: try SaveSetName("celeste"), at: "/b")
        #expect(await code { try await ledger.saveSets.put(other) } == "ledger.save-set-name-taken")
        try await ledger.saveSets.remove(celeste)
        try await ledger.saveSets.put(other)
        #expect(try await ledger.saveSets.all().values.map(\.id) == [other.id])
    }

    @Test("Versions keep the order of arrival, and are removed with their game")
    func snapshots() async throws {
        let ledger = try await kit.open()
        try await ledger.saveSets.put(try entry())
        let snapshots = try [3, 1, 2].map(snapshot)
        try await ledger.snapshots.know([snapshots[0]], at: someTime(1))
        try await ledger.snapshots.know(snapshots, at: someTime(2))
        try await ledger.snapshots.setRefusal("archive.damaged", of: snapshots[1].id, in: celeste)
        let found = try await ledger.snapshots.known(of: celeste)
        #expect(found.map(\.id) == snapshots.map(\.id))
        #expect(found.map(\.bytes) == snapshots.map(\.encoded))
        #expect(found.map(\.cameAt) == [someTime(1), someTime(2), someTime(2)])
        #expect(found.map(\.refusal) == [nil, "archive.damaged", nil])
        try await ledger.snapshots.setIncomplete([snapshots[0].id, snapshots[1].id], of: celeste)
        try await ledger.snapshots.setIncomplete([snapshots[1].id, snapshots[2].id], of: celeste)
        #expect(try await ledger.snapshots.known(of: celeste).map(\.isIncomplete) == [false, true, true])
        #expect(try await ledger.saveSets.remove(celeste))
        #expect(try await ledger.snapshots.known(of: celeste).isEmpty)
    }

    @Test("The machines of a game can be added and removed")
    func sharers() async throws {
        let ledger = try await kit.open()
        try await ledger.saveSets.put(try entry())
        try await ledger.sharing.share(celeste, with: peerID(2))
        try await ledger.sharing.share(celeste, with: peerID(1))
        try await ledger.sharing.share(celeste, with: peerID(1))
        #expect(try await ledger.sharing.sharers(of: celeste).values == [peerID(1), peerID(2)])
        try await ledger.sharing.share(celeste, with: peerID(1), false)
        #expect(try await ledger.sharing.sharers(of: celeste).values == [peerID(2)])
    }

    @Test("A vouched machine gets the game if it is accepted, and no decision of the user is undone")
    func introduced() async throws {
        let ledger = try await kit.open()
        try await ledger.saveSets.put(try entry())
        let (friend, blocked, stranger, asked) = (peerID(1), peerID(2), peerID(3), peerID(4))
        for peer in [friend, blocked, asked] { try await ledger.pin(peer) }
        try await ledger.setPolicy(.accept, for: friend)
        try await ledger.setPolicy(.block, for: blocked)
        for peer in [blocked, stranger, asked] { #expect(try await !ledger.sharing.introduce(peer, to: celeste)) }
        #expect(try await ledger.sharing.introduce(friend, to: celeste))
        #expect(try await ledger.sharing.sharers(of: celeste).values == [friend])
        // A second message of the same content undoes neither the revocation nor the forgetting.
        try await ledger.sharing.share(celeste, with: friend, false)
        #expect(try await !ledger.sharing.introduce(friend, to: celeste))
        try await ledger.sharing.share(celeste, with: friend)
        try await ledger.forget(friend)
        #expect(try await !ledger.sharing.introduce(friend, to: celeste))
        #expect(try await ledger.sharing.sharers(of: celeste).values.isEmpty)
    }

    @Test("An offer is new once, is updated later, and their number is limited")
    func offers() async throws {
        let ledger = try await kit.open()
        let first = SaveOffer(celeste, named: try SaveSetName("celeste"), fellows: [peerID(4)])
        #expect(try await ledger.sharing.noteOffer(first, from: peerID(1), to: peerID(9)) == .new)
        let second = SaveOffer(celeste, named: try SaveSetName("mountain"))
        #expect(try await ledger.sharing.noteOffer(second, from: peerID(1), to: peerID(9)) == .known)
        #expect(try await ledger.sharing.noteOffer(second, from: peerID(2), to: peerID(9)) == .new)
        #expect(try await ledger.sharing.offeredSets().values.map(\.offer) == [second, second])
        for number in 0..<UInt64(SharingRecords.offerLimit) {
            let offer = SaveOffer(SaveSetID(high: 9, low: number), named: try SaveSetName("x"))
            _ = try await ledger.sharing.noteOffer(offer, from: peerID(1), to: peerID(9))
        }
        let left = try await ledger.sharing.offeredSets().values
        #expect(left.count == SharingRecords.offerLimit + 1)
        #expect(left.contains { $0.peer == peerID(2) })
        try await ledger.sharing.removeOffer(of: celeste)
        #expect(try await ledger.sharing.offeredSets().values.count == SharingRecords.offerLimit)
    }

    /// An offer of nearly 99 KiB whose patterns take 12 MiB.
    private func largeOffer(_ number: UInt64) throws -> SaveOffer {
        let line = String(repeating: "a?/", count: 126) + "a?"
        let patterns = try PathPatterns(Array(repeating: line, count: 256))
        return SaveOffer(SaveSetID(high: 9, low: number), named: try SaveSetName("x\(number)"), ignored: patterns)
    }

    private func names(of peer: UInt8, in ledger: Ledger) async throws -> [String] {
        try await ledger.sharing.offeredSets().values.filter { $0.peer == peerID(peer) }.map { "\($0.offer.name)" }
    }

    @Test("The oldest offers of a peer make room for its newest ones, and none for an offer that is too large")
    func largeOffers() async throws {
        let ledger = try await kit.open()
        for number in 0..<UInt64(9) {
            _ = try await ledger.sharing.noteOffer(try largeOffer(number), from: peerID(1), to: peerID(9))
        }
        #expect(try await names(of: 1, in: ledger) == ["x7", "x8"])
        let patterns = try PathPatterns(Array(repeating: String(repeating: "a", count: 1_024), count: 256))
        let larger = SaveOffer(celeste, named: try SaveSetName("x"), ignored: patterns)
        #expect(try await ledger.sharing.noteOffer(larger, from: peerID(1), to: peerID(9)) == .tooLarge)
        #expect(try await names(of: 1, in: ledger) == ["x7", "x8"])
    }

    @Test("If the offers of all peers are too large together, the peers with the most bytes lose their oldest ones")
    func offersOfMany() async throws {
        let (ledger, own) = (try await kit.open(), peerID(9))
        let small = SaveOffer(celeste, named: try SaveSetName("celeste"))
        _ = try await ledger.sharing.noteOffer(small, from: peerID(8), to: own)
        try await ledger.sharing.noteLeft(try largeOffer(1), by: own, in: nil)
        for peer in UInt8(10)..<40 {
            for number in 0..<UInt64(2) {
                _ = try await ledger.sharing.noteOffer(try largeOffer(number), from: peerID(peer), to: own)
            }
        }
        let offered = try await ledger.sharing.offeredSets().values
        let ofPeers = offered.filter { $0.peer != own }.map { SaveMessage.offer($0.offer).encoded.count }
        #expect(ofPeers.reduce(0, +) <= SharingRecords.allOffersByteLimit && ofPeers.count > 40)
        #expect(offered.contains { $0.peer == own } && offered.contains { $0.peer == peerID(8) })
        #expect(Set(offered.map(\.peer)).count == 32)
    }

    @Test("Offers beyond the limits that an earlier version of the program stored are deleted")
    func earlierOffers() async throws {
        do {
            let ledger = try await kit.open()
            for number in 0..<UInt64(9) {
                try await ledger.sharing.noteLeft(try largeOffer(number), by: peerID(1), in: nil)
            }
        }
        let ledger = try await kit.open()
        #expect(try await names(of: 1, in: ledger).count == 9)
        try await ledger.sharing.trimOffers(besides: peerID(9))
        #expect(try await names(of: 1, in: ledger) == ["x7", "x8"])
    }

    @Test("The sets that this machine has left are known without their descriptions")
    func leftSets() async throws {
        let (ledger, offer) = (try await kit.open(), SaveOffer(celeste, named: try SaveSetName("celeste")))
        _ = try await ledger.sharing.noteOffer(offer, from: peerID(1), to: peerID(9))
        #expect(try await ledger.sharing.leftSets(by: peerID(9)) == [])
        #expect(try await ledger.sharing.left(celeste, by: peerID(9)) == nil)
        try await ledger.sharing.noteLeft(offer, by: peerID(9), in: "/games/celeste")
        #expect(try await ledger.sharing.leftSets(by: peerID(9)) == [celeste])
        #expect(try await ledger.sharing.left(celeste, by: peerID(9))?.folder == "/games/celeste")
    }

    @Test("Left games never replace each other, however many there are")
    func left() async throws {
        let ledger = try await kit.open()
        for number in 0...UInt64(SharingRecords.offerLimit) {
            let offer = SaveOffer(SaveSetID(high: 9, low: number), named: try SaveSetName("x"))
            try await ledger.sharing.noteLeft(offer, by: peerID(1), in: nil)
        }
        #expect(try await ledger.sharing.offeredSets().values.count == SharingRecords.offerLimit + 1)
    }

    @Test("Games with values that can't be read are still listed")
    func unreadable() async throws {
        do { try await kit.open().saveSets.put(try entry()) }
        try kit.edit("UPDATE save_sets SET keep_count = 0")
        let ledger = try await kit.open()
        #expect(try await ledger.saveSets.all().unreadable == 1)
        #expect(try await ledger.saveSets.ids() == [celeste])
    }

    @Test("A ledger from before games were synced keeps all its entries")
    func migration() async throws {
        do { try await kit.open().pin(peerID(1)) }
        try kit.edit(Self.undoInboxShares)
        try kit.edit(
            """
            DROP TABLE save_withdrawals; DROP TABLE save_leases; DROP TABLE save_sharers; DROP TABLE save_snapshots; DROP TABLE save_offers; DROP TABLE save_sets;
            DROP TABLE save_givers;
            DROP INDEX audit_by_origin; ALTER TABLE audit DROP COLUMN is_strangers;
            ALTER TABLE peers DROP COLUMN policy_before_block;
            ALTER TABLE invitations DROP COLUMN code_need; ALTER TABLE invitations ADD COLUMN code TEXT; PRAGMA user_version = 1
            """
        )
        let ledger = try await kit.open()
        #expect(ledger.opening == .opened)
        #expect(try await ledger.peer(peerID(1))?.isPinned == true)
        try await ledger.saveSets.put(try entry())
        #expect(try await ledger.saveSets.all().values.count == 1)
    }

    @Test("A ledger from before games of chosen files keeps its games and offers")
    func migrationOfSets() async throws {
        var entry = try entry()
        let offer = SaveOffer(SaveSetID(high: 9, low: 9), named: try SaveSetName("mountain"))
        do {
            let ledger = try await kit.open()
            try await ledger.saveSets.put(entry)
            _ = try await ledger.sharing.noteOffer(offer, from: peerID(1), to: peerID(9))
        }
        try kit.edit(Self.undoInboxShares)
        try kit.edit(Self.olderSnapshots)
        try kit.edit(
            """
            DROP TABLE save_withdrawals; DROP TABLE save_leases;
            ALTER TABLE save_sets DROP COLUMN chosen;
            DROP INDEX audit_by_origin; ALTER TABLE audit DROP COLUMN is_strangers;
            ALTER TABLE peers DROP COLUMN policy_before_block;
            ALTER TABLE invitations DROP COLUMN code_need; ALTER TABLE invitations ADD COLUMN code TEXT; PRAGMA user_version = 2
            """
        )
        entry.chosen = nil
        let ledger = try await kit.open()
        #expect(try await ledger.saveSets.all().values == [entry])
        #expect(try await ledger.sharing.offeredSets().values.map(\.offer) == [offer])
    }

    @Test("The last report of a machine's versions stays until it no longer shares the game")
    func named() async throws {
        let (one, other) = (try snapshot(1).id, try snapshot(2).id)
        do {
            let ledger = try await kit.open()
            try await ledger.saveSets.put(try entry())
            try await ledger.sharing.noteNamed([one], by: peerID(1), of: celeste)
            #expect(
                try await ledger.sharing.named(of: celeste).isEmpty,
                "a machine that does not share has said nothing"
            )
            for peer in [peerID(1), peerID(2), peerID(3)] { try await ledger.sharing.share(celeste, with: peer) }
            try await ledger.sharing.noteNamed([one], by: peerID(1), of: celeste)
            try await ledger.sharing.noteNamed([one, other], by: peerID(1), of: celeste)
            try await ledger.sharing.noteNamed([], by: peerID(2), of: celeste)
        }
        let ledger = try await kit.open()
        #expect(try await ledger.sharing.named(of: celeste) == [peerID(1): [one, other], peerID(2): []])
        try await ledger.sharing.noteNamed(nil, by: peerID(1), of: celeste)
        try await ledger.sharing.share(celeste, with: peerID(2), false)
        #expect(try await ledger.sharing.named(of: celeste).isEmpty)
    }

    @Test("The last play lease survives a restart bit for bit, and is removed with its game")
    func leases() async throws {
        let claim = LeaseClaim(peerID(1), term: .max, isHeld: true, played: .seconds(840))
        do {
            let ledger = try await kit.open()
            // The lease of an unknown game is not stored.
            try await ledger.saveSets.keep(claim, cutOff: nil, of: celeste, heardAt: someTime(1))
            #expect(try await ledger.saveSets.keptClaim(of: celeste) == nil)
            try await ledger.saveSets.put(try entry())
            try await ledger.saveSets.keep(
                LeaseClaim(peerID(2), term: 0, isHeld: true),
                cutOff: nil,
                of: celeste,
                heardAt: someTime(1)
            )
            try await ledger.saveSets.keep(claim, cutOff: nil, of: celeste, heardAt: someTime(2))
        }
        let ledger = try await kit.open()
        let found = try await ledger.saveSets.keptClaim(of: celeste)
        #expect(found?.claim == claim && found?.heardAt == someTime(2))
        try await ledger.saveSets.keep(nil, cutOff: nil, of: celeste)
        #expect(try await ledger.saveSets.keptClaim(of: celeste) == nil)
        try await ledger.saveSets.keep(claim, cutOff: nil, of: celeste)
        try await ledger.saveSets.remove(celeste)
        #expect(try await ledger.saveSets.keptClaim(of: celeste) == nil)
    }

    @Test("A play that was cut off survives a restart beside a claim, and is removed with its game")
    func cutOffPlays() async throws {
        let claim = LeaseClaim(peerID(1), term: 3, isHeld: true)
        let play = try #require(CutOffPlay(of: peerID(2), saved: VersionVector.maximumCounter))
        do {
            let ledger = try await kit.open()
            try await ledger.saveSets.keep(nil, cutOff: play, of: celeste)
            #expect(try await ledger.saveSets.keptCutOff(of: celeste) == nil, "the game is unknown")
            try await ledger.saveSets.put(try entry())
            try await ledger.saveSets.keep(nil, cutOff: CutOffPlay(of: peerID(1), saved: 0), of: celeste)
            try await ledger.saveSets.keep(claim, cutOff: play, of: celeste)
        }
        let ledger = try await kit.open()
        #expect(try await ledger.saveSets.keptCutOff(of: celeste) == play)
        #expect(try await ledger.saveSets.keptClaim(of: celeste)?.claim == claim)
        try await ledger.saveSets.keep(claim, cutOff: nil, of: celeste)
        #expect(try await ledger.saveSets.keptCutOff(of: celeste) == nil)
        try await ledger.saveSets.keep(nil, cutOff: play, of: celeste)
        try await ledger.saveSets.remove(celeste)
        #expect(try await ledger.saveSets.keptCutOff(of: celeste) == nil)
    }

    /// The schema from before the share of each machine in the inbox was counted.
    static let undoInboxShares: StaticString = """
        DROP TABLE household_statements; DROP TABLE household_pairings; DROP TABLE household_forgotten;
        DROP TABLE cut_off_plays;
        ALTER TABLE save_offers DROP COLUMN folder; ALTER TABLE save_offers DROP COLUMN audience;
        ALTER TABLE save_sets DROP COLUMN audience;
        ALTER TABLE save_sharers DROP COLUMN heads; ALTER TABLE save_sets DROP COLUMN is_emptied;
        DROP INDEX save_snapshots_generation; ALTER TABLE save_snapshots DROP COLUMN generation;
        DROP TRIGGER inbox_comes; DROP TRIGGER inbox_goes;
        DROP TABLE inbox_shares; DROP INDEX inbox_by_peer;
        PRAGMA user_version = 10
        """

    /// The versions from before abandoned ones were stored.
    private static let olderSnapshots: StaticString = """
        CREATE TABLE older (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            save_set BLOB NOT NULL REFERENCES save_sets (id) ON DELETE CASCADE,
            id BLOB NOT NULL CHECK (length(id) = 32),
            bytes BLOB NOT NULL,
            came_at INTEGER NOT NULL,
            refusal TEXT,
            UNIQUE (save_set, id)
        ) STRICT;
        INSERT INTO older SELECT number, save_set, id, bytes, came_at, refusal FROM save_snapshots;
        DROP TABLE save_snapshots; ALTER TABLE older RENAME TO save_snapshots;
        DROP TABLE save_givers; ALTER TABLE save_sets DROP COLUMN heads;
        """

    @Test("A ledger from before play leases keeps its games")
    func migrationOfLeases() async throws {
        do { try await kit.open().saveSets.put(try entry()) }
        try kit.edit(Self.undoInboxShares)
        try kit.edit(Self.olderSnapshots)
        try kit.edit(
            """
            DROP TABLE save_withdrawals; DROP TABLE save_leases;
            DROP INDEX audit_by_origin; ALTER TABLE audit DROP COLUMN is_strangers;
            ALTER TABLE peers DROP COLUMN policy_before_block;
            ALTER TABLE invitations DROP COLUMN code_need; ALTER TABLE invitations ADD COLUMN code TEXT; PRAGMA user_version = 3
            """
        )
        let ledger = try await kit.open()
        #expect(ledger.opening == .opened)
        #expect(try await ledger.saveSets.all().values == [try entry()])
        #expect(try await ledger.saveSets.keptClaim(of: celeste) == nil)
    }

    @Test("A ledger from before abandoned versions keeps all versions as complete")
    func migrationOfSnapshots() async throws {
        do {
            let ledger = try await kit.open()
            try await ledger.saveSets.put(try entry())
            try await ledger.snapshots.know([snapshot(1)])
        }
        try kit.edit(Self.undoInboxShares)
        try kit.edit(Self.olderSnapshots)
        try kit.edit(
            """
            DROP TABLE save_withdrawals; DROP INDEX audit_by_origin; ALTER TABLE audit DROP COLUMN is_strangers;
            ALTER TABLE peers DROP COLUMN policy_before_block;
            ALTER TABLE invitations DROP COLUMN code_need; ALTER TABLE invitations ADD COLUMN code TEXT;
            PRAGMA user_version = 4
            """
        )
        let found = try await kit.open().snapshots.known(of: celeste)
        #expect(found.map(\.id) == [try snapshot(1).id])
        #expect(found.map(\.isIncomplete) == [false])
    }
}
