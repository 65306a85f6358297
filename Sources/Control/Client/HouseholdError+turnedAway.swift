import LinuxPlatform
import Household
import Vocabulary

extension HouseholdError {
    /// Returns the error for a refused connection. The daemon refuses it because of a limit, before any route.
    @Engine
    static func turnedAway(_ answer: HTTPResponse) async throws -> HouseholdError {
        var said: [UInt8] = []
        while said.count < 4096, let more = try await answer.next() { said += more }
        let sentence = String(decoding: said.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return HouseholdError(
            answer.status == 503 ? ErrorCode(.busy, "control.crowded") : "control.turned-away",
            "huddled refused the connection: \(PrintableText(sentence, limit: 400))",
            nextStep: answer.status == 503 ? "try again in a moment" : "docs/control-api.md has the limits"
        )
    }
}
