import CommandTable
import Household
import Session
import Testing
import Vocabulary

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

    @Test("anything else is a failure")
    func other() {
        #expect(ExitCode(of: Refusal(code: "ledger.damaged")) == .failure)
    }
}
