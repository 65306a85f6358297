import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import TestSupport
import Vocabulary

/// One large random file: its first scan, and then one changed MiB after the other.
enum LargeFile {
    private static let set = SaveSetID(high: 1, low: 1)

    static func run(mebibytes: Int, rounds: Int, changes: Int) throws {
        let from = TemporaryFolder()
        let path = from.path(of: "large")
        try make(path, mebibytes)
        print("  one file of \(mebibytes) MiB, from the page cache")
        var best = Array(repeating: (seconds: Double.infinity, processor: Double.infinity), count: 4)
        for _ in 0..<rounds {
            let into = TemporaryFolder()
            let times = [
                try timed { try readAndDigest(path) }, try timed { try cut(path) },
                try timed { try readDigestWrite(path, into.path(of: "copy")) },
                try timed { _ = try capture(path, History.open(at: into.path(of: "history")), 1) },
            ]
            for place in best.indices where times[place].seconds < best[place].seconds { best[place] = times[place] }
        }
        let names = [
            "read + SHA-256", "read, cut, digest on two threads", "read + SHA-256, write, fsync", "capture, flushed",
        ]
        for (name, time) in zip(names, best) { show(name, time, to: best[0]) }
        try change(path, mebibytes, changes)
    }

    private static func change(_ path: String, _ mebibytes: Int, _ changes: Int) throws {
        let into = TemporaryFolder()
        let history = try History.open(at: into.path(of: "history"))
        _ = try capture(path, history, 1)
        let before = try history.usage().onDisk.bytes
        let file = OwnedDescriptor(takingOwnershipOf: open(path, O_RDWR | O_CLOEXEC))
        var dice = SeededGenerator(seed: 2)
        var snapshots: [Snapshot] = []
        for number in 0..<changes {
            let bytes = (0..<(1 << 17)).map { _ in dice.next() }
            let place = UInt64.random(in: 0..<UInt64(mebibytes - 1) << 20, using: &dice)
            try bytes.withUnsafeBytes { try file.write($0, at: place) }
            snapshots.append(try capture(path, history, UInt64(number + 2)))
        }
        let usage = try timed {
            let after = try history.usage().onDisk.bytes
            let each = ((after - before) / UInt64(changes)) >> 10
            print(
                "    \(changes) changes of 1 MiB: \((after - before) >> 20) MiB more on disk, \(each) KiB each, of \(before >> 20)"
            )
        }
        print("    asking for the usage: \(Int(usage.seconds * 1_000)) ms")
        let nothing = try timed { try history.collectGarbage() }
        try history.drop(snapshots.dropLast().map(\.id))
        var report: GarbageReport?
        let much = try timed { report = try history.collectGarbage() }
        print(
            "    collecting nothing: \(Int(nothing.seconds * 1_000)) ms; all but the last snapshot: "
                + "\(Int(much.seconds * 1_000)) ms, \((report?.freedBytes ?? 0) >> 20) MiB freed, \((report?.movedBytes ?? 0) >> 20) MiB moved"
        )
        let check = try timed {
            guard try history.check().isSound else { preconditionFailure("the history is not sound") }
        }
        print("    checking all of it: \(Int(check.seconds * 1_000)) ms")
    }

    private static func capture(_ path: String, _ history: History, _ counter: UInt64) throws -> Snapshot {
        let batch = try history.beginBatch()
        var pieces: [PieceReference] = []
        let file = try OwnedDescriptor.openFile(at: path)
        let size = UInt64(try file.facts().size)
        _ = try FileCutter().pieces(of: file, size: size, cutBy: cutter(size)) { piece in
            try batch.put(piece)
            pieces.append(PieceReference(PieceID(words: piece.digest.words), length: piece.bytes.count))
        }
        let content = SavedFile(mode: .privateFile, modified: FileTime(seconds: 0, nanoseconds: 0), pieces: pieces)
        return try Captured.append(["large": content], set, counter, to: batch)
    }

    private static func cutter(_ size: UInt64) -> PieceCutter {
        let sizes = PieceSizes(forFileOf: size)
        return PieceCutter(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum)
    }

    private static func cut(_ path: String) throws {
        let file = try OwnedDescriptor.openFile(at: path)
        let size = UInt64(try file.facts().size)
        _ = try FileCutter().pieces(of: file, size: size, cutBy: cutter(size)) { _ in }
    }

    private static func readAndDigest(_ path: String) throws {
        try forEachStretch(path) { _, _ in }
    }

    private static func readDigestWrite(_ path: String, _ copy: String) throws {
        let target = OwnedDescriptor(takingOwnershipOf: open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        try forEachStretch(path) { try target.write($0, at: $1) }
        try target.sync()
    }

    private static func forEachStretch(_ path: String, _ body: (UnsafeRawBufferPointer, UInt64) throws -> Void) throws {
        let file = try OwnedDescriptor.openFile(at: path)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { room.deallocate() }
        var stream = SHA256Stream()
        var offset: UInt64 = 0
        while case let count = try file.read(into: room, at: offset), count > 0 {
            let bytes = UnsafeRawBufferPointer(rebasing: room.prefix(count))
            stream.update(bytes)
            try body(bytes, offset)
            offset += UInt64(count)
        }
        _ = stream.finish()
    }

    private static func make(_ path: String, _ mebibytes: Int) throws {
        let file = OwnedDescriptor(takingOwnershipOf: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        var dice = SeededGenerator(seed: 1)
        for number in 0..<mebibytes {
            let words = (0..<(1 << 17)).map { _ in dice.next() }
            try words.withUnsafeBytes { try file.write($0, at: UInt64(number) << 20) }
        }
        try file.sync()
    }
}
