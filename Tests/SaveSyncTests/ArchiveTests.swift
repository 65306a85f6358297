import LinuxPlatform
import Ledger
import SaveRules
@testable import SaveSync
import SecureArchive
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("A version as one file", .timeLimit(.minutes(3)))
@Engine
struct ArchiveTests {
    /// A folder with files as an unpacked archive leaves them.
    private static func unpacked(_ files: [String: String]) throws -> (files: String, notes: String, TemporaryFolder) {
        let folder = TemporaryFolder()
        _ = try folder.opened().createFolder(FileName("files"))
        for (path, text) in files { try folder.put(text, at: "files/\(path)") }
        return (folder.path(of: "files"), folder.path(of: "notes"), folder)
    }

    @Test("an imported save reaches all machines, and one step undoes it")
    func imported() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        let (files, notes, folder) = try Self.unpacked(["slot": "from a file"])
        defer { withExtendedLifetime(folder) {} }
        let before = try #require(try one.heads(of: set).first)
        let made = try await one.engine.editor(of: set).importFiles(files, notes: notes)
        #expect(made != before && one.place().texts() == ["slot": "from a file"])
        while other.place().texts() != ["slot": "from a file"] { try await othersTurn() }
        #expect(
            try await one.engine.editor(of: set).importFiles(files, notes: notes) == made,
            "the same again is no new version"
        )
        try await one.engine.editor(of: set).restore(before)
        while other.place().texts() != ["slot": "chapter 1"] { try await othersTurn() }
        await shared.stop()
    }

    @Test("the last save of the game is kept under an imported save, and an empty archive changes nothing")
    func unread() async throws {
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": "chapter 1"])
        one.place().put(Array("chapter 2".utf8), at: "slot")
        let (files, notes, folder) = try Self.unpacked(["slot": "from a file"])
        try await one.engine.editor(of: set).importFiles(files, notes: notes)
        #expect(try await one.engine.versions(of: set).latest().count == 3)
        let empty = try Self.unpacked([:])
        await #expect(throws: SaveSyncError.self) {
            try await one.engine.editor(of: set).importFiles(empty.files, notes: empty.notes)
        }
        #expect(one.place().texts() == ["slot": "from a file"])
        withExtendedLifetime(folder) {}
        await one.stop()
    }

    @Test("an exported version has every file of it, whatever the folder has by now")
    func exported() async throws {
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": "chapter 1", "keys": ""])
        let first = try #require(try one.heads(of: set).first)
        try await one.save("chapter 2", at: "slot", in: set)
        let source = try one.engine.versions(of: set).archive(of: first)
        var (reader, found, last) = (TarReader(), [String: String](), "")
        while let bytes = try await source() { reader.append(bytes) }
        while let event = try reader.next() {
            switch event {
            case .entry(let entry):
                last = entry.path
                if entry.kind == .file { found[last] = "" }
            case .bytes(let bytes): found[last, default: ""] += String(decoding: bytes, as: UTF8.self)
            case .end:
                #expect(found == ["slot": "chapter 1", "keys": ""])
                return await one.stop()
            }
        }
        Issue.record("the archive has no end")
    }
}
