import SessionRules
import Testing

@Suite("Whose word is missing", .timeLimit(.minutes(1)))
struct MissingWordTests {
    @Test("is known in each state that something has yet to follow, and in no other")
    func states() {
        for state in OutgoingInvitation.State.allCases { #expect((state.missing == nil) == state.isOver, "\(state)") }
        for state in IncomingInvitation.State.allCases { #expect((state.missing == nil) == state.isOver, "\(state)") }
    }
}
