import Digests
import Foundation
import Glibc
import History
import Ledger
import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("Versions that the history has lost", .timeLimit(.minutes(2)))
struct LostVersionsTests {
    /// A game of four versions, which another machine has as well. The program of the first machine has ended.
    @Engine
    private static func four(in folder: TemporaryFolder, with other: SaveMachine) async throws -> SaveSetID {
        try await SaveMachine.live("one", in: folder) { one in
            try await one.befriend(other)
            let set = try await one.add(["slot": "chapter 1"])
            try await one.share(set, with: other)
            for chapter in 2...4 {
                try await one.save("chapter \(chapter)", in: set)
                while other.place().texts() != ["slot": "chapter \(chapter)"] { try await othersTurn() }
            }
            // Writes the index, so that it lists the four versions.
            _ = try await one.engine.upkeep.usage()
            return set
        }
    }

    private static func packs(of folder: TemporaryFolder) throws -> [String] {
        try Folder(at: folder.path(of: "history")).entries(limit: 1_000).compactMap(\.name?.text)
            .filter { $0.hasPrefix("pack-") }.map { folder.path(of: "history/\($0)") }
    }

    /// Starts the program again, and waits until the missing versions arrive.
    @Engine
    private static func untilWhole(
        _ set: SaveSetID,
        in folder: TemporaryFolder,
        with other: SaveMachine
    ) async throws {
        try await SaveMachine.live("one", in: folder) { one in
            try await one.befriend(other)
            one.engine.connections.sees(other.id)
            while try await one.engine.versions(of: set).latest().map(\.isWhole) != [true, true, true, true] {
                try await one.next(in: set) { if case .arrived = $0 { true } else { nil } }
            }
            while one.engine.upkeep.incompleteCount > 0 { try await othersTurn() }
            #expect(try await one.engine.upkeep.check().isSound)
            for version in try await one.engine.versions(of: set).latest() {
                let names = try await one.engine.services.reader.names(in: version.snapshot, scope: SetScope())
                #expect(names.map(\.text) == ["slot"])
            }
        }
    }

    @Test(
        "lost versions come from a machine that has them, by themselves or after a repair, and not twice",
        arguments: [false, true]
    )
    @Engine
    func ofPacks(isRepaired: Bool) async throws {
        let (folder, other) = (TemporaryFolder.inMemory(), try await SaveMachine.open("other"))
        let set = try await Self.four(in: folder, with: other)
        for pack in try Self.packs(of: folder) { unlink(pack) }
        if isRepaired {
            try await SaveMachine.live("one", in: folder) { one async throws in
                #expect(one.engine.historyDamage.map(\.code) == ["saves.versions-lost"])
                #expect(try await !one.engine.upkeep.check(repairing: true).isSound)
                #expect(one.engine.upkeep.incompleteCount == 3)
            }
        }
        try await Self.untilWhole(set, in: folder, with: other)
        try await SaveMachine.live("one", in: folder) { again in
            #expect(again.engine.upkeep.incompleteCount == 0 && again.engine.historyDamage.isEmpty)
        }
        await other.stop()
    }

    @Test("lost versions come even if all are lost, as many as it would have kept")
    @Engine
    func ofAllHistory() async throws {
        let (folder, other) = (TemporaryFolder.inMemory(), try await SaveMachine.open("other"))
        let set = try await Self.four(in: folder, with: other)
        for file in try Self.packs(of: folder) + ["seal", "index"].map({ folder.path(of: "history/\($0)") }) {
            let handle = try FileHandle(forUpdating: URL(filePath: file))
            try handle.write(contentsOf: Data(repeating: 0x21, count: 64))
            try handle.close()
        }
        try await Self.untilWhole(set, in: folder, with: other)
        #expect(try !Folder(at: folder.path(of: "history/damaged-1")).entries(limit: 10).isEmpty)
        await other.stop()
    }

    @Test("versions whose record alone is lost are there again at the next start, though no other machine has them")
    @Engine
    func ofRecords() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await SaveMachine.live("one", in: folder) { one in
            let set = try await one.add(["slot": String(repeating: "chapter 1", count: 1_000)])
            try await one.save("chapter 2", in: set)
            return set
        }
        do {
            // Everything after the first pack is in another pack.
            let history = try History.open(at: folder.path(of: "history"), packLimit: 4 << 10)
            for number in 0..<1_000 {
                let bytes = Array("\(number)".utf8)
                try history.beginBatch().put(bytes, expecting: PieceID(of: bytes, hashedBy: Digest.sha256))
            }
            _ = try history.usage()
        }
        let before = try Self.packs(of: folder)
        try await SaveMachine.live("one", in: folder) { one in
            let first = try #require(try await one.engine.versions(of: set).latest().first)
            try await one.engine.editor(of: set).restore(first.snapshot.id)
            try await one.save("chapter 4", in: set)
            _ = try await one.engine.upkeep.usage()
        }
        let last = try #require(before.max())
        unlink(last)
        try await SaveMachine.live("one", in: folder) { one in
            while try await !one.engine.versions(of: set).latest().allSatisfy(\.isWhole) { try await othersTurn() }
            let third = try await one.engine.versions(of: set).version("3")
            try await one.engine.editor(of: set).restore(third.snapshot.id)
            #expect(try await one.engine.upkeep.check().isSound)
        }
    }

    @Test(
        "versions that no machine has are waited for until newer ones would have taken their places, and are no damage then"
    )
    @Engine
    func nowhere() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await SaveMachine.live("one", in: folder) { one in
            let set = try await one.add(["slot": "chapter 1"])
            try await one.engine.settings.change(set) { $0.retention = RetentionRule(count: 2, age: nil) }
            try await one.save("chapter 2", in: set)
            _ = try await one.engine.upkeep.usage()
            return set
        }
        for pack in try Self.packs(of: folder) { unlink(pack) }
        try await SaveMachine.live("one", in: folder) { one in
            while try await one.engine.versions(of: set).latest().map(\.isWhole) != [false, true] {
                try await othersTurn()
            }
            while one.engine.upkeep.incompleteCount != 1 { try await othersTurn() }
            for chapter in 3...4 { try await one.save("chapter \(chapter)", in: set) }
            while one.engine.upkeep.incompleteCount > 0 { try await othersTurn() }
        }
        try await SaveMachine.live("one", in: folder) { one async throws in
            #expect(one.engine.historyDamage.isEmpty && one.engine.upkeep.incompleteCount == 0)
            #expect(try await one.engine.upkeep.check().isSound)
        }
    }
}
