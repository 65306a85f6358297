import Testing
import Vocabulary

@testable import Household

@Suite("An error that is passed on", .timeLimit(.minutes(5)))
struct PassedOnErrorTests {
    private struct Timeout: Error, CustomStringConvertible {
        let description = "no answer in 5s"
    }

    private struct Refusal: ExplainedError {
        let code: ErrorCode = "test.refused"
        let message = "the machine refused"
        let nextStep = "ask its owner\nor try another machine"
        var cause: (any Error)?
    }

    @Test("An error is printed with its reason, then a line for each hint")
    func hints() {
        #expect(
            PassedOnError(Refusal(cause: Timeout())).lines == [
                "error: the machine refused: no answer in 5s", "hint: ask its owner", "hint: or try another machine",
            ]
        )
    }

    @Test("An error without a hint is one line")
    func noHint() {
        #expect(PassedOnError(Timeout()).lines == ["error: no answer in 5s"])
    }

    @Test("A sentence takes the place of the message and leaves the hints")
    func sentence() {
        #expect(PassedOnError(Refusal()).lines(about: "celeste: not sent").first == "error: celeste: not sent")
    }

    @Test("The log has the hint behind the sentence")
    func log() {
        let line = LogLine(DaemonLine.failed(Refusal()))
        #expect(line?.description == "the machine refused: ask its owner; or try another machine (test.refused)")
    }
}
