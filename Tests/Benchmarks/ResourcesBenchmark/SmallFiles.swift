import Glibc
import LinuxPlatform
import TestSupport
import Vocabulary

/// Many small files in folders of a hundred.
enum SmallFiles {
    static let byteCount = 4_096

    static func run(count: Int, rounds: Int) throws {
        let from = TemporaryFolder()
        let path = from.path(of: "small")
        try make(path, count)
        var contest = Contest("\(count) files of \(byteCount) bytes")
        contest.add("cp -r, sync -f") { into in
            try OtherProgram.run(["cp", "-r", path, into])
            try OtherProgram.run(["sync", "-f", into])
        }
        contest.add("source → sink") { try ResourceCopy.copy(path, into: $0) }
        try contest.run(rounds: rounds)
        try flushing(path)
    }

    /// Compares a flush of the whole file system, as a sink does it, with a flush of each file.
    private static func flushing(_ path: String) throws {
        var contest = Contest("the same, once, flushed at once or one by one")
        contest.add("cp -r, sync -f") { into in
            try OtherProgram.run(["cp", "-r", path, into])
            try OtherProgram.run(["sync", "-f", into])
        }
        contest.add("cp -r, then fsync of each file") { into in
            try OtherProgram.run(["cp", "-r", path, into])
            try syncEach("\(into)/small")
        }
        try contest.run(rounds: 1)
    }

    private static func make(_ path: String, _ count: Int) throws {
        mkdir(path, 0o755)
        let bytes = [UInt8](repeating: 7, count: byteCount)
        for number in 0..<count {
            let folder = "\(path)/\(number / 100)"
            if number.isMultiple(of: 100) { mkdir(folder, 0o755) }
            let file = try retrying("open") { open("\(folder)/\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
            write(file, bytes, bytes.count)
            close(file)
        }
        sync()
    }

    private static func syncEach(_ path: String) throws {
        let folder = try Folder(at: path)
        for entry in try folder.entries(limit: 100_000) {
            guard let name = entry.name else { continue }
            let inner = try folder.openFolder(name)
            for file in try inner.entries(limit: 100_000).compactMap(\.name) { try inner.open(file).sync() }
        }
    }
}
