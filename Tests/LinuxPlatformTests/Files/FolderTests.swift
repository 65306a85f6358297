import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Folder", .timeLimit(.minutes(5)))
struct FolderTests {
    let temporary = TemporaryFolder()

    @Test("A file is created once, opened again, and not created again")
    func createsAndOpens() throws {
        let folder = try temporary.opened()
        let name = try FileName("save.dat")
        let made = try folder.create(name)
        #expect(write(made.number, "abc", 3) == 3)
        #expect(error(of: EEXIST, in: "openat2") { _ = try folder.create(name) })
        let opened = try folder.open(name)
        var byte: UInt8 = 0
        #expect(read(opened.number, &byte, 1) == 1)
        #expect(byte == UInt8(ascii: "a"))
        #expect(temporary.text(at: "save.dat") == "abc")
    }

    @Test("A missing file is reported with its name")
    func missing() throws {
        let folder = try temporary.opened()
        let name = try FileName("gone")
        let failure = #expect(throws: SystemError.self) { _ = try folder.open(name) }
        #expect(failure == SystemError("openat2", ENOENT, on: "gone"))
    }

    @Test("Opening or creating keeps existing content")
    func opensOrCreates() throws {
        let folder = try temporary.opened()
        let name = try FileName("journal")
        _ = try folder.openOrCreate(name)
        try temporary.put("kept", at: "journal")
        _ = try folder.openOrCreate(name)
        #expect(temporary.text(at: "journal") == "kept")
    }

    @Test("Private folders and files are readable for their owner only")
    func modes() throws {
        let folder = try temporary.opened()
        _ = try folder.createFolder(try FileName("inner"))
        _ = try folder.create(try FileName("file"))
        #expect(mode(of: "inner") == 0o700)
        #expect(mode(of: "file") == 0o600)
    }

    @Test("No descriptor is inherited by children")
    func closesOnExec() throws {
        let folder = try temporary.opened()
        let file = try folder.create(try FileName("file"))
        #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
        let opened = try folder.open(try FileName("file"), for: .readingAndWriting)
        #expect(fcntl(opened.number, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("Inner folders are created, opened, filled and removed when empty")
    func folders() throws {
        let folder = try temporary.opened()
        let (inner, file) = (try FileName("inner"), try FileName("file"))
        let made = try folder.createFolder(inner)
        #expect(error(of: EEXIST, in: "mkdirat") { _ = try folder.createFolder(inner) })
        _ = try made.create(file)
        _ = try folder.openOrCreateFolder(inner).open(file)
        _ = try folder.openFolder(inner).open(file)
        #expect(error(of: ENOTEMPTY, in: "unlinkat") { try folder.removeFolder(inner) })
        try made.remove(file)
        try folder.removeFolder(inner)
        #expect(temporary.names().isEmpty)
    }

    @Test("A folder stays the same folder when its path is given to another")
    func heldByDescriptor() throws {
        let parent = try temporary.opened()
        let held = try parent.createFolder(try FileName("saves"))
        try parent.rename(try FileName("saves"), to: try FileName("moved"), overwriting: .forbidden)
        _ = try parent.createFolder(try FileName("saves"))
        _ = try held.create(try FileName("file"))
        #expect(temporary.text(at: "moved/file") != nil)
        #expect(temporary.text(at: "saves/file") == nil)
    }

    @Test("Renaming without overwriting leaves both files unchanged")
    func renameForbidden() throws {
        let folder = try temporary.opened()
        try temporary.put("old", at: "a")
        try temporary.put("new", at: "b")
        let (a, b, c) = (try FileName("a"), try FileName("b"), try FileName("c"))
        #expect(error(of: EEXIST, in: "renameat2") { try folder.rename(b, to: a, overwriting: .forbidden) })
        #expect(temporary.text(at: "a") == "old")
        #expect(temporary.text(at: "b") == "new")
        try folder.rename(b, to: a, overwriting: .allowed)
        #expect(temporary.text(at: "a") == "new")
        let inner = try folder.createFolder(try FileName("inner"))
        try folder.rename(a, to: c, in: inner, overwriting: .forbidden)
        #expect(temporary.text(at: "inner/c") == "new")
        try folder.sync()
    }

    private func mode(of name: String) -> mode_t {
        var facts = stat()
        #expect(lstat(temporary.path(of: name), &facts) == 0)
        return facts.st_mode & 0o777
    }
}

/// True if the body fails with this error number in this call.
func error(of number: CInt, in operation: String, _ body: () throws -> Void) -> Bool {
    do {
        try body()
        return false
    } catch let error as SystemError {
        return error.number == number && error.operation == operation
    } catch {
        return false
    }
}
