import SessionRules
import Testing

@Suite("The purpose of an invitation", .timeLimit(.minutes(5)))
struct InvitationPurposeTests {
    private func purpose(_ text: String) -> InvitationPurpose { InvitationPurpose(of: Array(text.utf8)) }

    @Test("All invitations of users and their programs have one purpose")
    func people() {
        #expect(purpose("") == purpose("a game") && purpose("Huddle-saves/1") == purpose(""))
        #expect(purpose("huddle-" + String(repeating: "x", count: 58)) == purpose(""))
    }

    @Test("Each kind of the machines' own work has another purpose")
    func machines() {
        #expect(purpose("huddle-saves/1") == purpose("huddle-saves/1"))
        #expect(purpose("huddle-saves/1") != purpose("") && purpose("huddle-saves/1") != purpose("huddle-saves/2"))
        #expect(purpose("huddle-" + String(repeating: "x", count: 57)) != purpose(""))
    }
}
