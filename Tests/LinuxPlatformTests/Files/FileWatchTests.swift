import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("FileWatch", .timeLimit(.minutes(5)))
struct FileWatchTests {
    let temporary = TemporaryFolder()

    private func watch(_ names: String...) throws -> FileWatch {
        try FileWatch(of: Set(names.map { try FileName($0) }), in: temporary.path, on: .shared)
    }

    @Test("A file that is touched, written, replaced or created ends the wait")
    func wakes() async throws {
        let watch = try watch("bell", "log")
        try temporary.put("1", at: "bell")
        try await watch.changed()
        utimes(temporary.path(of: "bell"), nil)
        try await watch.changed()
        try temporary.put("1", at: "log")
        try await watch.changed()
        try temporary.put("2", at: "other")
        rename(temporary.path(of: "other"), temporary.path(of: "bell"))
        try await watch.changed()
    }

    @Test("Other files don't end the wait, many changes count as one, and a cancelled wait ends")
    func staysAsleep() async throws {
        let watch = try watch("bell")
        let woken = Probe(0)
        let ended = Probe(false)
        for number in 0..<500 { try temporary.put("x", at: "neighbour \(number)") }
        for _ in 0..<500 { utimes(temporary.path, nil) }
        try temporary.put("1", at: "bell")
        for _ in 0..<500 { utimes(temporary.path(of: "bell"), nil) }
        let reader = Task {
            while (try? await watch.changed()) != nil { woken.count() }
            ended.open()
        }
        try await woken.wait { $0 == 1 }
        for number in 0..<500 { try temporary.put("y", at: "neighbour \(number)") }
        reader.cancel()
        try await ended.pass()
        #expect(woken.value == 1)
    }

    @Test("A removed folder ends the wait; a missing one is refused")
    func folderGone() async throws {
        let folder = temporary.path(of: "folder")
        let bell = try FileName("bell")
        #expect(throws: SystemError("inotify_add_watch", ENOENT, on: folder)) {
            try FileWatch(of: [bell], in: folder, on: .shared)
        }
        mkdir(folder, 0o700)
        let watch = try FileWatch(of: [bell], in: folder, on: .shared)
        rmdir(folder)
        try await watch.changed()
    }
}
