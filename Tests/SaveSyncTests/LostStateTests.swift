import Digests
import Foundation
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("A machine whose state is older than its signatures", .timeLimit(.minutes(2)))
struct LostStateTests {
    private static let kept = ["huddle", "history", "celeste"]

    private static func replace(
        _ names: [String],
        in folder: TemporaryFolder,
        with copy: TemporaryFolder
    ) throws {
        for name in names {
            try? FileManager.default.removeItem(atPath: folder.path(of: name))
            try FileManager.default.copyItem(atPath: copy.path(of: name), toPath: folder.path(of: name))
        }
    }

    /// Waits for the event that reports the machine's own versions, as another machine told them.
    @Engine
    private static func recollection(of machine: SaveMachine, in set: SaveSetID) async throws -> Recollection {
        try await machine.next(in: set) { if case .recollected(let recollection) = $0 { recollection } else { nil } }
    }

    @Test("the machine takes back its versions if it only has its key, and goes on behind its highest number")
    @Engine
    func lost() async throws {
        let (folder, there) = (TemporaryFolder.inMemory(), TemporaryFolder.inMemory())
        let set = try await SaveMachine.live("other", in: there) { other in
            try await SaveMachine.live("one", in: folder) { one in
                try await one.befriend(other)
                let set = try await one.add(["slot": "chapter 1"])
                try await one.share(set, with: other)
                try await one.save("chapter 2", in: set)
                while other.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
                return set
            }
        }
        let key = try Data(contentsOf: URL(filePath: folder.path(of: "huddle/identity.pem")))
        for name in Self.kept { try FileManager.default.removeItem(atPath: folder.path(of: name)) }
        let mode = [FileAttributeKey.posixPermissions: 0o700]
        let path = folder.path(of: "huddle")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: mode)
        let isKept = FileManager.default.createFile(
            atPath: "\(path)/identity.pem",
            contents: key,
            attributes: [.posixPermissions: 0o600]
        )
        try #require(isKept)
        try await SaveMachine.live("other", in: there) { other in
            try await SaveMachine.live("one", in: folder) { one async throws in
                try await one.befriend(other)
                try await other.offer(set, to: one)
                try await one.join(set)
                let recollection = try await Self.recollection(of: one, in: set)
                #expect(recollection.count == 2 && !recollection.usesNumbersTwice)
                #expect(try await one.noted("save-versions-back").details.contains { $0.value == "go on" })
                while try one.state(of: set) != .level { try await othersTurn() }
                #expect(one.place().texts() == ["slot": "chapter 2"])
                try await one.save("chapter 3", in: set)
                #expect(try one.engine.report(of: set).versions.shown?.version[one.id] == 3)
                while other.place().texts() != ["slot": "chapter 3"] { try await othersTurn() }
            }
        }
    }

    @Test("the machine that has used a number twice since a restore says so, both versions stay, and the user chooses")
    @Engine
    func restored() async throws {
        let (folder, there) = (TemporaryFolder.inMemory(), TemporaryFolder.inMemory())
        let backup = TemporaryFolder.inMemory()
        let set = try await SaveMachine.live("other", in: there) { other in
            try await SaveMachine.live("one", in: folder) { one in
                try await one.befriend(other)
                let set = try await one.add(["slot": "chapter 1"])
                try await one.share(set, with: other)
                return set
            }
        }
        try Self.replace(Self.kept, in: backup, with: folder)
        try await SaveMachine.live("other", in: there) { other in
            try await SaveMachine.live("one", in: folder) { one async throws in
                try await one.befriend(other)
                one.engine.connections.sees(other.id)
                try await one.save("chapter 2", in: set)
                while other.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
            }
        }
        try Self.replace(Self.kept, in: folder, with: backup)
        try await SaveMachine.live("one", in: folder) { try await $0.save("another chapter 2", in: set) }
        try await SaveMachine.live("other", in: there) { other in
            try await SaveMachine.live("one", in: folder) { one async throws in
                try await one.befriend(other)
                one.engine.connections.sees(other.id)
                let recollection = try await Self.recollection(of: one, in: set)
                #expect(recollection.count == 1 && recollection.usesNumbersTwice)
                try await one.untilConflict(in: set)
                try await other.untilConflict(in: set)
                let sides = try one.engine.report(of: set).versions.heads
                #expect(try sides.map(\.id) == other.heads(of: set))
                #expect(sides.map { $0.version[one.id] } == [2, 2] && sides.allSatisfy { $0.author == one.id })
                #expect(one.place().texts() == ["slot": "another chapter 2"])
                #expect(other.place().texts() == ["slot": "chapter 2"])
                try await one.engine.editor(of: set).resolve(.mine)
                while other.place().texts() != ["slot": "another chapter 2"] { try await othersTurn() }
                #expect(try one.engine.report(of: set).versions.heads.map { $0.version[one.id] } == [3])
            }
        }
    }
}
