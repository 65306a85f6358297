import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import TestSupport
import Yardstick

/// A history of very many pieces: the time to open it with and without its index, and to look up pieces.
enum ManyPieces {
    static func run(count: Int) throws {
        print("  \(count) pieces of 200 bytes")
        let into = TemporaryFolder()
        let path = into.path(of: "history")
        var ids: [PieceID] = []
        let before = residentKiB()
        let put = try timed { ids = try fill(path, count) }
        print(
            "    put and flushed: \(Int(put.seconds * 1_000)) ms, \(Int(put.seconds * 1e9) / count) ns each; resident +\(residentKiB() - before - count / 32) KiB beside their names"
        )
        for name in ["with its index", "without"] {
            if name == "without" { unlink("\(path)/index") }
            let start = residentKiB()
            var history: History?
            let opened = try timed { history = try History.open(at: path) }
            let grown = residentKiB() - start
            let asked = try timed {
                for id in ids where try history?.has(id) != true {
                    preconditionFailure("a piece that was put is not there")
                }
            }
            let read = try timed { for id in ids.prefix(10_000) { _ = try history?.read(id) } }
            print(
                "    opened \(name): \(Int(opened.seconds * 10_000) / 10) ms, resident +\(grown) KiB; "
                    + "asked: \(Int(asked.seconds * 1e9) / count) ns each; read: \(Int(read.seconds * 1e9) / min(count, 10_000)) ns each"
            )
            fflush(nil)
        }
    }

    private static func fill(_ path: String, _ count: Int) throws -> [PieceID] {
        let history = try History.open(at: path)
        let batch = try history.beginBatch()
        var dice = SeededGenerator(seed: 3)
        var ids: [PieceID] = []
        ids.reserveCapacity(count)
        for _ in 0..<count {
            let words = (0..<25).map { _ in dice.next() }
            try words.withUnsafeBytes { bytes in
                let piece = DigestedBytes(bytes)
                try batch.put(piece)
                ids.append(PieceID(words: piece.digest.words))
            }
        }
        try batch.commit()
        return ids
    }

    private static func residentKiB() -> Int { ProcessFigures()?.residentKiB ?? 0 }
}
