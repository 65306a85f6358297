import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("AtomicFile", .timeLimit(.minutes(5)))
struct AtomicFileTests {
    let temporary = TemporaryFolder()
    let script = ScriptedFileCalls()
    let name: FileName
    let new = [UInt8](repeating: UInt8(ascii: "n"), count: 100)

    var file: AtomicFile { AtomicFile(name, calls: script.calls) }
    var newText: String { String(decoding: new, as: UTF8.self) }

    init() throws {
        name = try FileName("peers.json")
    }

    @Test("A new file appears complete, with its mode for any umask, and no other file remains")
    func writesNew() throws {
        try AtomicFile(name, mode: FileMode(rawValue: 0o666)).write(
            new,
            in: temporary.opened(),
            overwriting: .forbidden
        )
        #expect(temporary.text(at: "peers.json") == newText)
        #expect(temporary.names() == ["peers.json"])
        var facts = stat()
        #expect(lstat(temporary.path(of: "peers.json"), &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o666)
    }

    @Test("A file can become empty")
    func writesNothing() throws {
        try temporary.put("old", at: "peers.json")
        try file.write([], in: temporary.opened(), overwriting: .allowed)
        #expect(temporary.text(at: "peers.json") == "")
    }

    @Test("An existing file is only replaced if that is allowed")
    func overwriting() throws {
        try temporary.put("old", at: "peers.json")
        let folder = try temporary.opened()
        #expect(error(of: EEXIST, in: "renameat2") { try file.write(new, in: folder, overwriting: .forbidden) })
        #expect(temporary.text(at: "peers.json") == "old")
        #expect(temporary.names() == ["peers.json"])
        try file.write(new, in: folder, overwriting: .allowed)
        #expect(temporary.text(at: "peers.json") == newText)
    }

    @Test("A symbolic link is replaced, not followed")
    func replacesLink() throws {
        try temporary.put("old", at: "elsewhere")
        #expect(symlink("elsewhere", temporary.path(of: "peers.json")) == 0)
        try file.write(new, in: temporary.opened(), overwriting: .allowed)
        #expect(temporary.text(at: "elsewhere") == "old")
        #expect(temporary.text(at: "peers.json") == newText)
    }

    @Test("The flushes are in the order that a power cut requires")
    func order() throws {
        try file.write(new, in: temporary.opened(), overwriting: .allowed)
        #expect(script.made == [.create, .lock, .changeMode, .write, .sync, .rename, .syncFolder])
    }

    @Test(
        "A failed step is named, and leaves the old content and no leftover",
        arguments: [
            (ScriptedFileCalls.Call.create, EMFILE, "openat2"), (.create, ENOSPC, "openat2"),
            (.lock, ENOLCK, "flock"), (.changeMode, EPERM, "fchmod"),
            (.write, ENOSPC, "write"), (.write, EDQUOT, "write"), (.sync, EIO, "fsync"), (.sync, ENOSPC, "fsync"),
            (.rename, EXDEV, "renameat2"), (.rename, EEXIST, "renameat2"),
        ]
    )
    func failingStep(call: ScriptedFileCalls.Call, number: CInt, operation: String) throws {
        try temporary.put("old", at: "peers.json")
        script.refuse(call, with: number)
        let folder = try temporary.opened()
        #expect(error(of: number, in: operation) { try file.write(new, in: folder, overwriting: .allowed) })
        #expect(temporary.text(at: "peers.json") == "old")
        #expect(temporary.names() == ["peers.json"])
    }

    @Test("A disk that fills up leaves the old content", arguments: 1...10)
    func fullAtTheNthWrite(number: Int) throws {
        try temporary.put("old", at: "peers.json")
        script.limitEachTransfer(to: 10)
        script.refuse(.write, at: number, with: ENOSPC)
        let folder = try temporary.opened()
        #expect(error(of: ENOSPC, in: "write") { try file.write(new, in: folder, overwriting: .allowed) })
        #expect(temporary.text(at: "peers.json") == "old")
        #expect(temporary.names() == ["peers.json"])
    }

    @Test("Short writes are combined", arguments: [1, 7, 99, 100])
    func shortWrites(limit: Int) throws {
        script.limitEachTransfer(to: limit)
        try file.write(new, in: temporary.opened(), overwriting: .forbidden)
        #expect(temporary.text(at: "peers.json") == newText)
        #expect(script.made.filter { $0 == .write }.count == (100 + limit - 1) / limit)
    }

    @Test("A disk that writes nothing without an error is not retried for ever")
    func noProgress() throws {
        script.limitEachTransfer(to: 0)
        let folder = try temporary.opened()
        #expect(error(of: EIO, in: "write") { try file.write(new, in: folder, overwriting: .forbidden) })
        #expect(temporary.names().isEmpty)
    }

    @Test("Two interrupting signals have no effect", arguments: ScriptedFileCalls.Call.allCases)
    func interrupted(call: ScriptedFileCalls.Call) throws {
        script.refuse(call, at: 1, with: EINTR)
        script.refuse(call, at: 2, with: EINTR)
        let folder = try temporary.opened()
        try file.write(new, in: folder, overwriting: .allowed)
        #expect(try file.read(in: folder, limit: 100) == new)
        #expect(temporary.names() == ["peers.json"])
    }

    @Test("If the folder can't be flushed, the new content is complete and the step is named")
    func folderFlush() throws {
        try temporary.put("old", at: "peers.json")
        script.refuse(.syncFolder, with: EIO)
        let folder = try temporary.opened()
        #expect(error(of: EIO, in: "fsync of the folder") { try file.write(new, in: folder, overwriting: .allowed) })
        #expect(temporary.text(at: "peers.json") == newText)
        #expect(temporary.names() == ["peers.json"])
    }

    @Test("A file system without flushing of folders is supported")
    func folderFlushUnknown() throws {
        script.refuse(.syncFolder, with: EINVAL)
        try file.write(new, in: temporary.opened(), overwriting: .allowed)
        #expect(temporary.text(at: "peers.json") == newText)
    }
}
