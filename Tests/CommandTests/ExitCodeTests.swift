import CommandTable
import Household
import Session
import Testing
import Vocabulary
import Workbench

@testable import huddle

@Suite("Exit codes of errors", .timeLimit(.minutes(5)))
struct ExitCodeTests {
    struct Refusal: ExplainedError {
        let code: ErrorCode
        let message = "it is not there"
        let nextStep = "look for it"
    }

    @Test("The code follows from the class of the error, also if the daemon reports it", arguments: ErrorClass.allCases)
    func followsFromClass(_ errorClass: ErrorClass) throws {
        let error = Refusal(code: ErrorCode(errorClass, "test.refused"))
        let line = DaemonLine.failed(error).fieldsForPrograms.line
        let received = try #require(DaemonLine(JSONFields(Array(line.utf8))).event.problem)
        #expect(received.errorClass == errorClass)
        #expect(ExitCode(of: error) == ExitCode(of: received))
        #expect((ExitCode(of: error) == .failure) == [.refused, .failed].contains(errorClass))
    }

    @Test("A peer that is offline or refuses has a code for the reason", arguments: PartingReason.allCases)
    func passedOn(reason: PartingReason) {
        #expect(ExitCode(of: PassedOnError(SessionError(reason))) != .failure)
    }

    @Test("The error without a daemon names the socket and the command that starts one", arguments: [true, false])
    func noDaemon(hasServiceManager: Bool) {
        let error = NoDaemon(at: "/run/control", hasServiceManager: hasServiceManager)
        #expect(ExitCode(of: error) == .noDaemon)
        let lines = PassedOnError(error).lines
        #expect(lines.first == "error: no huddled runs here: nothing answers at “/run/control”")
        #expect(lines.dropFirst().map { $0.contains("systemctl --user enable --now huddled") } == [hasServiceManager])
    }

    @Test("The page has exactly the codes of the program, each with its meaning")
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

    @Test("The codes of each command are in the table of all codes")
    func commands() {
        func codes(of command: Command<CommandAction>) -> [ExitCode] {
            command.exitCodes + command.subcommands.flatMap(codes)
        }
        #expect(Set(codes(of: HuddleProgram.table.root)).subtracting(ExitCode.all).isEmpty)
    }

    @Test("An error without a class ends with the code of a failure")
    func other() {
        #expect(ExitCode(of: Refusal(code: "ledger.damaged")) == .failure)
    }
}
