import Glibc
import LabKit
import LinuxPlatform
import Yardstick

/// The sync of games between the daemons of two hosts of the lab, as a user has it.
///
/// Names of parts, such as `save many`, choose among them. `/FOLDER` holds the files (default: `/var/tmp`).
@main
enum SavesBenchmark {
    static let partNames = ["save", "many", "new", "one", "large", "changes", "restart"]

    static func main() {
        Program.run { signals in
            await withTaskGroup(of: CInt.self) { group in
                group.addTask { await outcome(CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("/") }) }
                group.addTask { await signals.next() == nil ? 1 : 0 }
                let code = await group.next() ?? 1
                fflush(nil)
                exit(code)
            }
        }
    }

    private static func outcome(_ words: [String]) async -> CInt {
        do {
            guard words.allSatisfy(partNames.contains) else { throw Unexpected("the parts are \(partNames)") }
            try await run(words.isEmpty ? partNames : words)
            return 0
        } catch {
            say("saves-benchmark: \(error)")
            return 1
        }
    }

    private static func run(_ parts: [String]) async throws {
        try Place.make()
        defer { try? Place.remove() }
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            let pair = try await Pair.meet(lab)
            for part in parts {
                switch part {
                case "save": try await SavePart(pair).run()
                case "many": try await ManyPart(pair).run()
                case "new": try await NewFilePart(pair).run()
                case "one": try await OnePart(pair).run()
                case "large": try await LargePart(pair).run()
                case "changes": try await ChangesPart(pair).run()
                default: try await RestartPart(pair).run()
                }
            }
            try await pair.end()
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
