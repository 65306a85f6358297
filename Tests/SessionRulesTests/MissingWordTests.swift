import SessionRules
import Testing

@Suite("The missing answer of an invitation", .timeLimit(.minutes(1)))
struct MissingWordTests {
    @Test("Exactly the states that wait have a missing answer")
    func states() {
        for state in OutgoingInvitation.State.allCases { #expect((state.missing == nil) == state.isOver, "\(state)") }
        for state in IncomingInvitation.State.allCases { #expect((state.missing == nil) == state.isOver, "\(state)") }
    }
}
