import Glibc
import LabKit
import LinuxPlatform

/// `torture`: injects faults into machines that sync saves, round after round, and checks that nothing is torn or lost.
/// It starts itself with the words `write`, `look` and `cut-power` on the hosts of its lab.
@main
struct TortureTool {
    private static let usage =
        "torture [--rounds 500] [--seed 1] [--hosts 2|3] [--in .build/torture]; see docs/internals/lab.md"

    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "write": finish { try TortureGame(words.dropFirst()).run() }
        case "look": finish { try SetLook(words.dropFirst()).run() }
        case "cut-power": finish { try PowerCut.stopWriting(to: words.dropFirst().first ?? "") }
        default:
            guard let plan = TorturePlan(words) else {
                Console.note(usage)
                exit(2)
            }
            Program.run { _ in await run(plan) }
        }
    }

    private static func finish(_ work: () throws -> Void) -> Never {
        do {
            try work()
            exit(0)
        } catch {
            Console.note("\(error)")
            exit(1)
        }
    }

    private static func run(_ plan: TorturePlan) async -> CInt {
        do {
            return try await plan.run() ? 0 : 1
        } catch {
            Console.note("\(error)")
            return 1
        }
    }
}
