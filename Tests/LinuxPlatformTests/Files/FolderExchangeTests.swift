import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Folder: exchanging, stamps, modes by name", .timeLimit(.minutes(5)))
struct FolderExchangeTests {
    let temporary = TemporaryFolder()

    @Test("A folder and a file are exchanged; a missing entry is refused")
    func exchange() throws {
        try temporary.put("1", at: "a")
        let folder = try temporary.opened()
        let inner = try folder.createFolder(FileName("b"))
        try temporary.put("2", at: "b/x")
        try folder.exchange(FileName("a"), with: FileName("b"), in: folder)
        #expect(temporary.text(at: "b") == "1" && temporary.text(at: "a/x") == "2")
        #expect(try inner.currentPath() == temporary.path(of: "a"))
        try folder.exchange(FileName("b"), with: FileName("x"), in: inner)
        #expect(temporary.text(at: "b") == "2" && temporary.text(at: "a/x") == "1")
        #expect(
            error(of: ENOENT, in: "renameat2") { try folder.exchange(FileName("b"), with: FileName("no"), in: folder) }
        )
    }

    @Test("A change with the same size and modification time differs by its stamp")
    func stamps() throws {
        try temporary.put("1", at: "a")
        let folder = try temporary.opened()
        let name = try FileName("a")
        let before = try folder.stamp(of: name)
        #expect(try folder.open(name).stamp() == before)
        try temporary.put("2", at: "a")
        try folder.setModified(before.facts.modified, of: name)
        let after = try folder.stamp(of: name)
        #expect(after.facts == before.facts && after != before)
        #expect(FileStamp(facts: after.facts, changed: before.changed) == before)
    }

    @Test("Modes are set by name, also for unreadable files, and never through a link")
    func modes() throws {
        try temporary.put("1", at: "a")
        symlink("a", temporary.path(of: "link"))
        let folder = try temporary.opened()
        for mode in [0o000, 0o444, 0o640] as [UInt32] {
            try folder.setMode(FileMode(rawValue: mode), of: FileName("a"))
            #expect(try folder.facts(of: FileName("a")).mode.rawValue == mode)
        }
        #expect(throws: SystemError.self) { try folder.setMode(.program, of: FileName("link")) }
        #expect(try folder.facts(of: FileName("a")).mode.rawValue == 0o640)
    }

    @Test(
        "A tree is removed with its content, whatever modes its folders have",
        .enabled("needs root") { geteuid() == 0 }
    )
    func removesTree() async throws {
        await #expect(processExitsWith: .success) {
            let temporary = TemporaryFolder()
            chown(temporary.path, 65_534, 65_534)
            seteuid(65_534)
            for folder in ["t", "t/a", "t/a/b"] { mkdir(temporary.path(of: folder), 0o700) }
            try temporary.put("x", at: "t/a/b/file")
            symlink("/etc", temporary.path(of: "t/a/link"))
            mkfifo(temporary.path(of: "t/pipe"), 0o600)
            for folder in ["t/a/b", "t/a", "t"] { chmod(temporary.path(of: folder), 0) }
            try temporary.opened().removeTree(FileName("t"))
            exit(temporary.names().isEmpty ? 0 : 3)
        }
    }
}
