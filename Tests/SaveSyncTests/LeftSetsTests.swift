import Database
import Digests
import Foundation
import History
import Ledger
import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("Versions of games that are not here", .timeLimit(.minutes(5)))
struct LeftSetsTests {
    /// A machine that kept a version of a game. Its program has ended, and the ledger was changed since.
    @Engine
    private static func ended(in folder: TemporaryFolder, _ statements: StaticString...) async throws -> SaveSetID {
        let set = try await SaveMachine.live("one", in: folder) { try await $0.add(["slot": "chapter 1"]) }
        let ledger = try Database<LedgerError>(at: folder.path(of: "huddle/ledger.sqlite"))
        for statement in statements { try ledger.run(statement) }
        return set
    }

    @Engine
    private static func expectNothing(in folder: TemporaryFolder) async throws {
        try await SaveMachine.live("one", in: folder) { one async throws in
            #expect(try await one.engine.joining.offers().isEmpty)
            #expect(try one.engine.services.store.history.sets().isEmpty)
        }
    }

    /// A machine whose program ended while a version of a game arrived. Nothing else is known of that game.
    @Engine
    private static func interrupted(in folder: TemporaryFolder) async throws {
        let one = try await SaveMachine.open("one", in: folder)
        let version = try #require(
            try one.engine.report(of: try await one.add(["slot": "chapter 1"])).versions.heads.first
        )
        var draft = Snapshot.Draft(
            set: .random(),
            .captured,
            version: version.signedVersion,
            manifest: version.manifest
        )
        draft.time = 1
        try one.engine.services.store.history.beginBatch().expect(Snapshot(draft, sealedBy: one.engine.services.seal))
        try await one.engine.joining.leave(version.set)
        await one.stop()
    }

    @Engine
    private static func giveUp(in folder: TemporaryFolder) async throws {
        try await SaveMachine.live("one", in: folder) { one in
            #expect(try await one.engine.joining.offers().count == 2)
            try await one.engine.upkeep.cleanUp(alsoLeft: true)
            #expect(try await one.engine.joining.offers().isEmpty)
        }
    }

    @Test("abandoned versions go with their pending transfers, and are not there again at the next start")
    @Engine
    func expected() async throws {
        let folder = TemporaryFolder.inMemory()
        try await Self.interrupted(in: folder)
        try await Self.giveUp(in: folder)
        try await Self.expectNothing(in: folder)
    }

    @Test("versions are abandoned as well if their own record can't be read")
    @Engine
    func damaged() async throws {
        let folder = TemporaryFolder.inMemory()
        let one = try await SaveMachine.open("one", in: folder)
        let set = try await one.add(["slot": "chapter 1"])
        try Self.damage(set, in: folder.path(of: "history"))
        #expect(try one.engine.services.store.history.snapshots(of: set).isEmpty)
        try await one.engine.joining.leave(set)
        try await one.engine.upkeep.cleanUp(alsoLeft: true)
        #expect(try one.engine.services.store.history.sets().isEmpty)
        await one.stop()
    }

    /// Overwrites a game's id at every place in a history.
    private static func damage(_ set: SaveSetID, in history: String) throws {
        let id = Data(set.bytes)
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: history) {
            let place = URL(filePath: "\(history)/\(name)")
            var bytes = try Data(contentsOf: place)
            while let range = bytes.range(of: id) {
                bytes.replaceSubrange(range, with: Data(repeating: 0x21, count: range.count))
                count += 1
            }
            try FileHandle(forUpdating: place).write(contentsOf: bytes)
        }
        try #require(count > 0)
    }

    @Test("versions of a game whose ledger entry can't be read stay")
    @Engine
    func unreadable() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await Self.ended(in: folder, "UPDATE save_sets SET keep_count = 0")
        let one = try await SaveMachine.open("one", in: folder)
        #expect(one.engine.reports().isEmpty)
        #expect(try await one.engine.joining.offers().isEmpty)
        try await one.engine.upkeep.cleanUp(alsoLeft: true)
        #expect(try await one.engine.upkeep.usage().shares.map(\.set) == [set])
        await one.stop()
    }

    @Test("versions that can't be recorded stop no start, and can be abandoned then as well")
    @Engine
    func full() async throws {
        let folder = TemporaryFolder.inMemory()
        _ = try await Self.ended(in: folder, "PRAGMA foreign_keys = ON", "DELETE FROM save_sets")
        try await Self.giveUpFull(in: folder)
        try await Self.expectNothing(in: folder)
    }

    @Engine
    private static func giveUpFull(in folder: TemporaryFolder) async throws {
        let ledger = try Database<LedgerError>(at: folder.path(of: "huddle/ledger.sqlite"))
        let one = try await SaveMachine.open("one", in: folder) { _ in
            try? ledger.run("CREATE TRIGGER full BEFORE INSERT ON save_offers BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        #expect(try await one.engine.joining.offers().isEmpty)
        #expect(try !one.engine.services.store.history.sets().isEmpty)
        try await one.engine.upkeep.cleanUp(alsoLeft: true)
        try ledger.run("DROP TRIGGER full")
        await one.stop()
    }
}
