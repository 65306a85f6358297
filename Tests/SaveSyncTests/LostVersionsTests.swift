import Foundation
import Glibc
import History
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("Versions that the history has lost", .timeLimit(.minutes(2)))
struct LostVersionsTests {
    /// A set of four versions, which another machine has as well. The program of the one has ended.
    @Engine
    private static func four(in folder: TemporaryFolder, with other: SaveMachine) async throws -> SaveSetID {
        let one = try await SaveMachine.open("one", in: folder)
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.offer(set, to: other)
        try await other.join(set)
        for chapter in 1...4 {
            if chapter > 1 { try await one.save("chapter \(chapter)", in: set) }
            while other.place().texts() != ["slot": "chapter \(chapter)"] { try await othersTurn() }
        }
        // So that the index knows them.
        _ = try await one.keeper.usage()
        await one.stop()
        return set
    }

    private static func packs(of folder: TemporaryFolder) throws -> [String] {
        try Folder(at: folder.path(of: "history")).entries(limit: 1_000).compactMap(\.name?.text)
            .filter { $0.hasPrefix("pack-") }.map { folder.path(of: "history/\($0)") }
    }

    /// The program begins anew, and what it lacks comes.
    @Engine
    private static func untilWhole(
        _ set: SaveSetID,
        in folder: TemporaryFolder,
        with other: SaveMachine
    ) async throws {
        let one = try await SaveMachine.open("one", in: folder)
        try await one.befriend(other)
        one.keeper.sees(other.id)
        while try await one.keeper.versions(of: set).map(\.isWhole) != [true, true, true, true] {
            try await one.next(in: set) { if case .arrived = $0 { true } else { nil } }
        }
        while one.keeper.lackingCount > 0 { try await othersTurn() }
        #expect(try await one.keeper.check().isSound)
        for version in try await one.keeper.versions(of: set) {
            let names = try await one.keeper.reader.names(in: version.snapshot, scope: SetScope())
            #expect(names.map(\.text) == ["slot"])
        }
        await one.stop()
    }

    @Engine
    private static func repair(_ set: SaveSetID, in folder: TemporaryFolder) async throws {
        let one = try await SaveMachine.open("one", in: folder)
        #expect(one.keeper.historyDamage.map(\.code) == ["saves.versions-lost"])
        #expect(try await !one.keeper.check(repairing: true).isSound)
        #expect(one.keeper.lackingCount == 3)
        await one.stop()
    }

    @Test(
        "come from a machine that has them, by themselves or after a repair, and not twice",
        arguments: [false, true]
    )
    @Engine
    func ofPacks(isRepaired: Bool) async throws {
        let (folder, other) = (TemporaryFolder.inMemory(), try await SaveMachine.open("other"))
        let set = try await Self.four(in: folder, with: other)
        for pack in try Self.packs(of: folder) { unlink(pack) }
        if isRepaired { try await Self.repair(set, in: folder) }
        try await Self.untilWhole(set, in: folder, with: other)
        let again = try await SaveMachine.open("one", in: folder)
        #expect(again.keeper.lackingCount == 0 && again.keeper.historyDamage.isEmpty)
        await again.stop()
        await other.stop()
    }

    @Test("together with all of it come as well, as many as it would have kept")
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

    @Engine
    private static func two(in folder: TemporaryFolder) async throws -> SaveSetID {
        let one = try await SaveMachine.open("one", in: folder)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.keeper.change(set) { $0.retention = RetentionRule(count: 2, age: nil) }
        try await one.save("chapter 2", in: set)
        _ = try await one.keeper.usage()
        await one.stop()
        return set
    }

    @Test("that nobody has are waited for until newer ones would have taken their places, and are no damage then")
    @Engine
    func nowhere() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await Self.two(in: folder)
        for pack in try Self.packs(of: folder) { unlink(pack) }
        try await Self.outgrow(set, in: folder)
        try await Self.expectSound(folder)
    }

    @Engine
    private static func outgrow(_ set: SaveSetID, in folder: TemporaryFolder) async throws {
        let one = try await SaveMachine.open("one", in: folder)
        while try await one.keeper.versions(of: set).map(\.isWhole) != [false, true] { try await othersTurn() }
        while one.keeper.lackingCount != 1 { try await othersTurn() }
        for chapter in 3...4 { try await one.save("chapter \(chapter)", in: set) }
        while one.keeper.lackingCount > 0 { try await othersTurn() }
        await one.stop()
    }

    @Engine
    private static func expectSound(_ folder: TemporaryFolder) async throws {
        let one = try await SaveMachine.open("one", in: folder)
        #expect(one.keeper.historyDamage.isEmpty && one.keeper.lackingCount == 0)
        #expect(try await one.keeper.check().isSound)
        await one.stop()
    }
}
