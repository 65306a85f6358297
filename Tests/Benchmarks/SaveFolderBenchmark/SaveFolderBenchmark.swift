import Glibc
import Yardstick

/// Measures scans of folders beside plain listing and reading in one run: `save-folder-benchmark [--quick] [restart]
/// [large] [idle] [/FOLDER]`. The folder holds the files (default: `/tmp`).
@main
struct SaveFolderBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let isQuick = arguments.contains("--quick")
        setenv("TMPDIR", arguments.first { $0.hasPrefix("/") } ?? "/tmp", 1)
        let parts = arguments.filter { !$0.hasPrefix("/") && !$0.hasPrefix("-") }
        func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
        if isWanted("restart") { try RestartPart.run(files: isQuick ? 10_000 : 100_000) }
        if isWanted("large") { try LargePart.run(mebibytes: isQuick ? 128 : 1_024, rounds: isQuick ? 1 : 3) }
        if isWanted("idle") { try await IdlePart.run(files: 10_000, for: .seconds(isQuick ? 5 : 20)) }
    }

    /// Milliseconds, and the ratio to the comparison.
    static func show(_ name: String, _ time: Duration, to measure: Duration) {
        print("    \(name): \(text(seconds(time) * 1_000, 0)) ms, \(text(seconds(time) / seconds(measure))) ×")
        fflush(nil)
    }
}
