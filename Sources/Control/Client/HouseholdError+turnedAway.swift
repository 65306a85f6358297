import LinuxPlatform
import Household
import Vocabulary

extension HouseholdError {
    /// What was said at the door, before the question came to anybody.
    @Engine
    static func turnedAway(_ answer: HTTPAnswer) async throws -> HouseholdError {
        var said: [UInt8] = []
        while said.count < 4096, let more = try await answer.next() { said += more }
        let sentence = String(decoding: said.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return HouseholdError(
            answer.status == 503 ? ErrorCode(.busy, "control.crowded") : "control.turned-away",
            "huddled did not take it: \(PrintableText(sentence, limit: 400))",
            nextStep: answer.status == 503 ? "try again in a moment" : "docs/control-api.md has the limits"
        )
    }
}
