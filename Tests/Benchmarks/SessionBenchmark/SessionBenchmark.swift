import Glibc
import LabKit
import LinuxPlatform

/// Files, folders, messages and streams between two hosts of the lab, beside one raw TLS 1.3 connection and rsync over
/// ssh in the same run.
///
/// Without arguments it starts a lab and runs itself on its hosts. Names of parts, such as `file messages`, choose
/// among them. Other arguments are for its processes on the hosts.
@main
enum SessionBenchmark {
    static func main() {
        Program.run { signals in
            await withTaskGroup(of: CInt.self) { group in
                group.addTask { await outcome(Array(CommandLine.arguments.dropFirst())) }
                group.addTask { await signals.next() == nil ? 1 : 0 }
                let code = await group.next() ?? 1
                // An orderly exit would wait for threads that block in a call.
                fflush(nil)
                exit(code)
            }
        }
    }

    private static func outcome(_ words: [String]) async -> CInt {
        do {
            try await run(words)
            return 0
        } catch {
            say("session-benchmark: \(error)")
            return 1
        }
    }

    private static func run(_ words: [String]) async throws {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "raw-serve": try await RawServer().run()
        case "raw-client": try await RawClient(rest).run()
        case "serve": try await ServingPart(rest).run()
        case "client": try await ClientPart(rest).run()
        case "gather": try await CrowdPart(rest).run()
        default: try await Comparison(parts: words).run()
        }
    }
}

/// Prints a line for the user.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// The error of a missing or wrong argument.
struct BadWord: Error {
    let words: [String]
}
