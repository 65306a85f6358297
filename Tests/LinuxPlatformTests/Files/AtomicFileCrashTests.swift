import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("AtomicFile and crashes", .timeLimit(.minutes(5)))
struct AtomicFileCrashTests {
    let temporary = TemporaryFolder()
    let name: FileName

    init() throws {
        name = try FileName("peers.json")
        try temporary.put("old", at: "peers.json")
    }

    @Test(
        "A writer that is killed at any step leaves the old or the new file, and at most one leftover",
        arguments: [.create, .lock, .changeMode, .write, .sync, .rename, .syncFolder] as [ScriptedFileCalls.Call]
    )
    func killed(before call: ScriptedFileCalls.Call) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = temporary.path as String, call = call as ScriptedFileCalls.Call] in
            let script = ScriptedFileCalls()
            script.killProcess(before: call)
            let file = AtomicFile(try FileName("peers.json"), calls: script.calls)
            try file.write(Array("new".utf8), in: try Folder(at: path), overwriting: .allowed)
        }
        #expect(temporary.text(at: "peers.json") == (call == .syncFolder ? "new" : "old"))
        let leftovers = temporary.names().filter { $0 != "peers.json" }
        #expect(leftovers.count == (call == .create || call == .syncFolder ? 0 : 1))
        #expect(try AtomicFile.removeLeftovers(in: temporary.opened(), limit: 10) == leftovers.count)
        #expect(temporary.names() == ["peers.json"])
    }

    @Test("The temporary file of an active writer is not removed")
    func writerAtWork() throws {
        let removed = Probe<[Int]>([])
        let path = temporary.path
        var calls = FileCalls.kernel
        calls.sync = { file in
            removed.record((try? AtomicFile.removeLeftovers(in: Folder(at: path), limit: 10)) ?? -1)
            return FileCalls.kernel.sync(file)
        }
        try AtomicFile(name, calls: calls).write(Array("new".utf8), in: temporary.opened(), overwriting: .allowed)
        #expect(removed.value == [0])
        #expect(temporary.text(at: "peers.json") == "new")
    }

    @Test(
        "A file that only looks like a leftover stays",
        arguments: [
            ".huddle-.part", ".huddle-0123456789abcdef0123456789abcde.part",
            "huddle-0123456789abcdef0123456789abcdef.part",
            ".huddle-0123456789ABCDEF0123456789abcdef.part", ".huddle-0123456789abcdef0123456789abcdef.part2",
        ]
    )
    func lookalikes(other: String) throws {
        try temporary.put("", at: other)
        #expect(try AtomicFile.removeLeftovers(in: temporary.opened(), limit: 10) == 0)
        #expect(temporary.names().contains(other))
    }
}
