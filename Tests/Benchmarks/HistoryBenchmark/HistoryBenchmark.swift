import Glibc
import TestSupport
import Yardstick

/// Measures the history beside plain reading, digesting and writing in one run: `history-benchmark [--quick] [file]
/// [small] [many] [known] [seals] [/FOLDER…]`. The folders hold the history (default: one on a disk, and `/dev/shm`).
@main
struct HistoryBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == KnownVersions.option, let folder = arguments.last { try await KnownVersions.open(folder) }
        let isQuick = arguments.contains("--quick")
        let given = arguments.filter { $0.hasPrefix("/") }
        let parts = arguments.filter { !$0.hasPrefix("/") && !$0.hasPrefix("-") }
        func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
        if isWanted("seals") {
            for machines in [2, 8] {
                try Seals.run(count: isQuick ? 500 : 5_000, machines: machines, rounds: isQuick ? 1 : 3)
            }
        }
        for folder in given.isEmpty ? ["/tmp", "/dev/shm"] : Array(given) {
            setenv("TMPDIR", folder, 1)
            print("\n\(folder)")
            if isWanted("file") {
                try LargeFile.run(
                    mebibytes: isQuick ? 128 : 1_024,
                    rounds: isQuick ? 1 : 3,
                    changes: isQuick ? 10 : 100
                )
            }
            if isWanted("small") { try SmallPieces.run(count: isQuick ? 1_000 : 10_000, rounds: isQuick ? 1 : 3) }
            if isWanted("many") { try ManyPieces.run(count: isQuick ? 10_000 : 100_000) }
            if isWanted("known") {
                try await KnownVersions.run(sets: isQuick ? 10 : 100, versions: isQuick ? 10_000 : 1_000_000)
            }
        }
        print("\npeak resident memory: \((ProcessFigures()?.peakKiB ?? 0) / 1_024) MiB")
    }
}

/// The time of a piece of work, and the processor time of all threads.
func timed(_ body: () throws -> Void) rethrows -> (seconds: Double, processor: Double) {
    let before = processorSeconds()
    let time = try ContinuousClock().measure(body)
    return (seconds(time), processorSeconds() - before)
}

/// Milliseconds of wall and processor time, and the ratio to the comparison.
func show(
    _ name: String,
    _ time: (seconds: Double, processor: Double),
    to measure: (seconds: Double, processor: Double)
) {
    func ratio(_ value: Double, _ other: Double) -> Double { (value / other * 100).rounded() / 100 }
    print(
        "    \(name): \(Int(time.seconds * 1_000)) ms, \(ratio(time.seconds, measure.seconds)) ×; "
            + "processor \(Int(time.processor * 1_000)) ms, \(ratio(time.processor, measure.processor)) ×"
    )
    fflush(nil)
}
