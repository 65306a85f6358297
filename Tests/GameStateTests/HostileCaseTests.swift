import TestSupport
import Testing
import Workbench

/// Files made from a seed, read in processes of their own; `make hostile` reads 2,000. A file that takes more than
/// four seconds of the processor's time or 64 MiB ends the program by a signal. The last line of its output then names
/// the seed and the case.
@Suite("Hostile files", .timeLimit(.minutes(10)))
struct HostileCaseTests {
    private static let count = 50

    @Test("no case of a batch kills the process, takes over four seconds or 64 MiB", arguments: 0..<8)
    func batch(number: Int) throws {
        let words = ["\(Programs.builtFolder)/hostile-cases", "1", "\(number * Self.count)", "\(Self.count)"]
        let run = try ProgramRun(words, deadline: .seconds(300 * OwnProcess.allowance))
        let failed = run.output.split(separator: "\n").filter { $0.hasPrefix("FAILED") }
        let last = run.output.split(separator: "\n").last ?? ""
        #expect(run.ending == .exit(0), "\(run.ending) at: \(last)\n\(failed.joined(separator: "\n"))\(run.complaint)")
    }

    @Test("a case is the same for the same seed, and another for another seed")
    func isRepeatable() throws {
        func bytes(_ seed: String) throws -> String {
            let run = try ProgramRun([
                "sh", "-c", "\"$0\" \(seed) 3 | sha256sum", "\(Programs.builtFolder)/hostile-cases",
            ])
            return run.output
        }
        #expect(try bytes("1") == bytes("1"))
        #expect(try bytes("1") != bytes("2"))
    }
}
