import Glibc
import LinuxPlatform
import TestSupport

/// One large file.
enum LargeFile {
    static func run(mebibytes: Int, rounds: Int) throws {
        let from = TemporaryFolder()
        let path = from.path(of: "large")
        try make(path, mebibytes)
        var contest = Contest("one file of \(mebibytes) MiB")
        contest.add("read and write, fsync") { try plainCopy(path, "\($0)/large") }
        contest.add("cp, sync") { into in
            try OtherProgram.run(["cp", path, "\(into)/large"])
            try OtherProgram.run(["sync", "\(into)/large"])
        }
        contest.add("source → sink") { try ResourceCopy.copy(path, into: $0) }
        try contest.run(rounds: rounds)
    }

    private static func make(_ path: String, _ mebibytes: Int) throws {
        let file = try retrying("open") { open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
        defer { close(file) }
        var dice = SeededGenerator(seed: 1)
        let words = (0..<(1 << 17)).map { _ in dice.next() }
        for _ in 0..<mebibytes {
            try retrying("write") { words.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } }
        }
        fsync(file)
    }

    private static func plainCopy(_ from: String, _ to: String) throws {
        let source = try retrying("open") { open(from, O_RDONLY | O_CLOEXEC) }
        defer { close(source) }
        let target = try retrying("open") { open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
        defer { close(target) }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { room.deallocate() }
        while case let count = read(source, room.baseAddress, room.count), count > 0 {
            try retrying("write") { write(target, room.baseAddress, count) }
        }
        try retrying("fsync") { fsync(target) }
    }
}
