import Glibc
import LinuxPlatform
import TestSupport

/// Compares ways to drive connections, in one run, against two threads that block:
/// `loop-benchmark [--quick] [ping] [hop] [flow] [timers] [idle]`; without a part, all of them.
///
/// Under `taskset -c 0` both sides share one core, and the figures show what the work costs without what waking another
/// core costs, which depends on the machine and on its mood.
@main
struct LoopBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--idle", let kind = arguments.dropFirst().first.flatMap({ Int($0) }) {
            return try Idling.measure(kind: kind, seconds: arguments.last.flatMap { Int($0) } ?? 5)
        }
        let parts = arguments.filter { !$0.hasPrefix("-") }
        let scale = arguments.contains("--quick") ? 1 : 10
        // Detached, for the main thread only waits.
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
