import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("AtomicFile.read", .timeLimit(.minutes(5)))
struct AtomicFileReadingTests {
    let temporary = TemporaryFolder()
    let script = ScriptedFileCalls()
    let file: AtomicFile

    init() throws {
        file = AtomicFile(try FileName("state"), calls: script.calls)
    }

    @Test("A file of the maximum length is read, one byte more is refused", arguments: [0, 1, 4096, 3 << 20])
    func limit(count: Int) throws {
        let folder = try temporary.opened()
        try temporary.put(String(repeating: "x", count: count), at: "state")
        #expect(try file.read(in: folder, limit: count).count == count)
        try temporary.put(String(repeating: "x", count: count + 1), at: "state")
        #expect(error(of: EFBIG, in: "read") { _ = try file.read(in: folder, limit: count) })
    }

    @Test("A missing file differs from an empty one")
    func missing() throws {
        let folder = try temporary.opened()
        #expect(error(of: ENOENT, in: "openat2") { _ = try file.read(in: folder, limit: 10) })
    }

    @Test("Short reads are combined")
    func shortReads() throws {
        try temporary.put("0123456789", at: "state")
        script.limitEachTransfer(to: 3)
        #expect(try file.read(in: temporary.opened(), limit: 10) == Array("0123456789".utf8))
    }

    @Test("A failing disk is reported")
    func failing() throws {
        try temporary.put("0123456789", at: "state")
        script.refuse(.read, at: 2, with: EIO)
        let folder = try temporary.opened()
        #expect(error(of: EIO, in: "read") { _ = try file.read(in: folder, limit: 10) })
    }

    @Test("A file that grows during a read is not read beyond the limit")
    func growsBeyondLimit() throws {
        try temporary.put("0123456789", at: "state")
        let path = temporary.path(of: "state")
        script.beforeEachRead { append("more", to: path) }
        let folder = try temporary.opened()
        #expect(error(of: EFBIG, in: "read") { _ = try file.read(in: folder, limit: 20) })
        #expect(script.made.count < 20)
    }

    @Test("A file that changed during a read is an error")
    func changes() throws {
        try temporary.put("0123456789", at: "state")
        let path = temporary.path(of: "state")
        let isFirst = Probe(true)
        script.beforeEachRead {
            guard isFirst.value else { return }
            isFirst.update { $0 = false }
            append("more", to: path)
        }
        let folder = try temporary.opened()
        #expect(error(of: EBUSY, in: "read") { _ = try file.read(in: folder, limit: 100) })
        #expect(try file.read(in: folder, limit: 100) == Array("0123456789more".utf8))
    }
}

private func append(_ text: String, to path: String) {
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    _ = write(file, text, text.utf8.count)
    close(file)
}
