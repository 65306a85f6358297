import SessionRules
import Testing

@Suite("What an invitation is for", .timeLimit(.minutes(5)))
struct InvitationPurposeTests {
    private func purpose(_ text: String) -> InvitationPurpose { InvitationPurpose(of: Array(text.utf8)) }

    @Test("is one for all that people and their programs invite to, whatever they say")
    func people() {
        #expect(purpose("") == purpose("a game") && purpose("Huddle-saves/1") == purpose(""))
        #expect(purpose("huddle-" + String(repeating: "x", count: 58)) == purpose(""))
    }

    @Test("is another for each thing that machines do by themselves")
    func machines() {
        #expect(purpose("huddle-saves/1") == purpose("huddle-saves/1"))
        #expect(purpose("huddle-saves/1") != purpose("") && purpose("huddle-saves/1") != purpose("huddle-saves/2"))
        #expect(purpose("huddle-" + String(repeating: "x", count: 57)) != purpose(""))
    }
}
