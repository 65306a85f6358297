import Glibc
import LinuxPlatform
import TestSupport
import Yardstick

/// The waiting times of `huddled` and `huddle`, and the costs of an idle daemon, each beside the smallest comparable
/// program: `daemon-benchmark [/FOLDER] [start] [status] [idle]`. The programs are those of the folder (default: beside
/// this one).
@main
enum DaemonBenchmark {
    static let partNames = ["start", "status", "idle"]

    static func main() {
        Program.run { signals in
            await withTaskGroup(of: CInt.self) { group in
                group.addTask { await outcome(Array(CommandLine.arguments.dropFirst())) }
                group.addTask { await signals.next() == nil ? 1 : 0 }
                let code = await group.next() ?? 1
                fflush(nil)
                exit(code)
            }
        }
    }

    private static func outcome(_ words: [String]) async -> CInt {
        let parts = words.filter { !$0.hasPrefix("/") }
        do {
            guard parts.allSatisfy(partNames.contains) else { throw Unexpected("the parts are \(partNames)") }
            let bench = try Bench(programs: words.first { $0.hasPrefix("/") })
            for part in parts.isEmpty ? partNames : parts {
                switch part {
                case "start": try await bench.starts()
                case "status": try await bench.questions()
                default: try await bench.rest()
                }
            }
            return 0
        } catch {
            say("daemon-benchmark: \(error)")
            return 1
        }
    }
}

/// Prints a line for the user.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// The error of a condition that the measurement needs.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
