import Glibc
import LinuxPlatform
import TestSupport

/// Compares ways to drive connections, in one run, against two threads that block:
/// `loop-benchmark [--quick] [ping] [hop] [flow] [timers] [idle]` (default: all parts).
///
/// Under `taskset -c 0` both sides share one core. Then the figures show the costs of the work without those of waking
/// another core, which vary with the machine and its load.
@main
struct LoopBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--idle", let kind = arguments.dropFirst().first.flatMap({ Int($0) }) {
            return try Idling.measure(kind: kind, seconds: arguments.last.flatMap { Int($0) } ?? 5)
        }
        let parts = arguments.filter { !$0.hasPrefix("-") }
        let scale = arguments.contains("--quick") ? 1 : 10
        // The task is detached, since the main thread only waits.
        Task.detached {
            do {
                try await measure(parts, scale)
                exit(EXIT_SUCCESS)
            } catch {
                print("the measurement failed: \(error)")
                exit(EXIT_FAILURE)
            }
        }
        while true { pause() }
    }

    private nonisolated static func measure(_ parts: [String], _ scale: Int) async throws {
        func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
        if isWanted("ping") {
            for side in PingPong.EchoSide.allCases { try await PingPong.run(side, blocks: 8 * scale, rounds: 500) }
        }
        if isWanted("hop") { try await WakeUps.run(blocks: 4 * scale, rounds: 500) }
        if isWanted("flow") { try await Throughput.run(blocks: 2 * scale, chunks: 1_024) }
        if isWanted("timers") { try await Timers.run(count: 100_000, repetitions: 3) }
        if isWanted("idle") { try Idling.run(seconds: 5) }
    }
}
