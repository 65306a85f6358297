import Testing
import Vocabulary

@Suite("Explained error", .timeLimit(.minutes(5)))
struct ExplainedErrorTests {
    private struct Refusal: ExplainedError {
        let code: ErrorCode = "test.refused"
        let message = "the peer refused"
        let nextStep = "ask its owner"
        var cause: (any Error)?
    }

    private struct Timeout: Error, CustomStringConvertible {
        let description = "no answer in 5s"
    }

    @Test("An error prints what failed, why, and the next step")
    func description() {
        #expect(Refusal().description == "the peer refused: ask its owner")
        #expect(Refusal(cause: Timeout()).description == "the peer refused (no answer in 5s): ask its owner")
        #expect(Refusal(cause: Timeout()).explanation == "the peer refused: no answer in 5s")
        #expect(Refusal(cause: Refusal(cause: Timeout())).explanation == "the peer refused: no answer in 5s")
        #expect("\(Refusal() as any Error)" == "the peer refused: ask its owner")
        #expect(Refusal().code.description == "test.refused")
    }

    @Test("An error about a name shows untrusted text escaped and shortened")
    func invalidName() throws {
        let error = try #require(throws: InvalidName.self) {
            try ServiceType("\u{1B}[2J" + String(repeating: "x", count: 500))
        }
        #expect(error.message.hasPrefix(#"“\u{1b}[2Jxxx"#))
        #expect(error.message.contains("x…” is not a service type: "))
        #expect(error.description == "\(error.message): \(error.nextStep)")
        #expect(error.message.hasSuffix("is not a service type: \(error.rule)"))
        #expect(error.rule == "it has 504 bytes instead of 1 to 15")
        #expect(error.cause == nil)
    }

    @Test(
        "An error has a next step of one phrase",
        arguments: [
            #expect(throws: InvalidName.self) { try InstanceName("") },
            #expect(throws: InvalidName.self) { try ServiceType("") },
            #expect(throws: InvalidName.self) { try HostAndPort("") },
        ].compactMap(\.self)
    )
    func style(_ error: InvalidName) {
        #expect(error.message.hasPrefix("“” is not a"))
        for text in [error.message, error.nextStep] {
            #expect(!text.hasSuffix("."))
            #expect(!text.contains("\n"))
        }
        #expect(error.nextStep.first?.isLowercase == true)
    }
}
