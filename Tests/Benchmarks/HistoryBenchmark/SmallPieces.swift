import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import TestSupport
import Vocabulary

/// The pieces of many small files in one version, beside a copy of each file.
enum SmallPieces {
    private static let byteCount = 4_096

    static func run(count: Int, rounds: Int) throws {
        print("  \(count) pieces of \(byteCount) bytes like chance, from memory")
        var best = Array(repeating: (seconds: Double.infinity, processor: Double.infinity), count: 3)
        var dice = SeededGenerator(seed: 1)
        let all = (0..<(count * byteCount / 8)).map { _ in dice.next() }
        for _ in 0..<rounds {
            let into = TemporaryFolder()
            let history = try History.open(at: into.path(of: "history"))
            let times = [
                try timed { try writeFiles(all, count, into.path(of: "files")) },
                try timed { try capture(all, count, history, 1) }, try timed { try capture(all, count, history, 2) },
            ]
            for place in best.indices where times[place].seconds < best[place].seconds { best[place] = times[place] }
        }
        show("SHA-256, a file each, syncfs", best[0], to: best[0])
        show("captured, flushed", best[1], to: best[0])
        show("captured again, all known", best[2], to: best[0])
    }

    private static func forEachPiece(
        _ all: [UInt64],
        _ count: Int,
        _ body: (Int, DigestedBytes) throws -> Void
    ) throws {
        try all.withUnsafeBytes { bytes in
            for number in 0..<count {
                try body(
                    number,
                    DigestedBytes(
                        UnsafeRawBufferPointer(rebasing: bytes[(number * byteCount)..<((number + 1) * byteCount)])
                    )
                )
            }
        }
    }

    private static func writeFiles(_ all: [UInt64], _ count: Int, _ path: String) throws {
        mkdir(path, 0o700)
        let folder = try Folder(at: path)
        try forEachPiece(all, count) { number, piece in
            try folder.create(FileName(String(number))).write(piece.bytes, at: 0)
        }
        try folder.syncFileSystem()
    }

    private static func capture(_ all: [UInt64], _ count: Int, _ history: History, _ counter: UInt64) throws {
        let batch = try history.beginBatch()
        var files: [String: SavedFile] = [:]
        try forEachPiece(all, count) { number, piece in
            try batch.put(piece)
            files["\(number)"] = SavedFile(
                mode: .privateFile,
                modified: FileTime(seconds: 0, nanoseconds: 0),
                pieces: [PieceReference(PieceID(words: piece.digest.words), length: byteCount)]
            )
        }
        _ = try Captured.append(files, SaveSetID(high: 1, low: 1), counter, to: batch)
    }
}
