import Glibc
import LinuxPlatform
import TestSupport
import Yardstick

/// What a person waits for with `huddled` and `huddle`, and what the daemon costs that has nothing to do, each beside what the machine
/// takes for as little as there is: `daemon-benchmark [/FOLDER] [start] [status] [idle]`; the programs are those of the folder, else those
/// beside this one.
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

/// Says something to whoever started this.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// Something is not as the measurement needs it.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
