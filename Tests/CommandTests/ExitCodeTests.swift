import CommandTable
import Household
import Session
import Testing
import Vocabulary
import Workbench

@testable import huddle

@Suite("the exit code of an error", .timeLimit(.minutes(5)))
struct ExitCodeTests {
    struct Refusal: ExplainedError {
        let code: ErrorCode
        let message = "it is not there"
        let nextStep = "look for it"
    }

    @Test(
        "a file that can't be read has its own",
        arguments: ["resource.not-found", "resource.bad-name"] as [ErrorCode]
    )
    func resource(code: ErrorCode) {
        #expect(ExitCode(of: Refusal(code: code)) == .transferFailed)
    }

    @Test("is the same whether the command or the daemon has met it", arguments: PartingReason.allCases)
    func passedOn(reason: PartingReason) {
        let error = SessionError(reason)
        #expect(ExitCode(of: PassedOnError(error)) == ExitCode(of: error))
    }

    @Test("stands on its page: all of them, each with what it means, and none that no program ends with")
    func page() throws {
        let page = try Repository.text(of: "docs/exit-codes.md")
        let rows = page.matches(of: #/(?m)^\| (\d+) \| (.+) \|$/#).map { (UInt8($0.1), String($0.2)) }
        #expect(rows.map(\.0) == ExitCode.all.map(\.number))
        for (row, code) in zip(rows, ExitCode.all) {
            #expect(row.1.hasPrefix(code.meaning), "\(code.number) means “\(code.meaning)”, not “\(row.1)”")
        }
        for path in Repository.files(below: "Sources/huddle", withSuffix: ".swift") {
            for found in try Repository.text(of: path).matches(of: #/ExitCode\((\d+),/#) {
                #expect(ExitCode.all.contains { "\($0.number)" == found.1 }, "\(found.1) in \(path)")
            }
        }
    }

    @Test("is told by each command among those of the table")
    func commands() {
        func codes(of command: Command<CommandAction>) -> [ExitCode] {
            command.exitCodes + command.subcommands.flatMap(codes)
        }
        #expect(Set(codes(of: HuddleProgram.table.root)).subtracting(ExitCode.all).isEmpty)
    }

    @Test("anything else is a failure")
    func other() {
        #expect(ExitCode(of: Refusal(code: "ledger.damaged")) == .failure)
    }
}
