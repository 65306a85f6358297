import LinuxPlatform
import Ledger
import ScriptedPeers
import Session
import SessionRules
import Synchronization
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Household

@Suite("The user's answer to an invitation", .timeLimit(.minutes(5)))
@Engine
struct AnsweringTests {
    @Test(
        "an answer sets the policy for good if it said so, even if no program waits for its outcome",
        arguments: [true, false]
    )
    func always(always: Bool) async throws {
        let (home, peer, theirs) = try await Home.asked()
        try await home.node.ledger.setPolicy(.ask, for: peer.id)
        try await home.household.answer(theirs.invitation, .accept(typed: nil), always: always)
        _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
        try await peer.say(.members(.init(session: theirs.session, members: [])))
        while !home.household.waitingInvitations.isEmpty { try await othersTurn() }
        while try await home.node.ledger.peer(peer.id)?.policy != (always ? .accept : .ask) { try await othersTurn() }
        await home.end()
    }

    @Test("an answer is followed to its end: the question, the entry of the peer, and the policy that holds by then")
    func followed() async throws {
        let (home, peer, theirs) = try await Home.asked()
        let reported = Mutex<[DaemonLine]>([])
        let outcome = try home.household.outcome(of: theirs.invitation)
        async let ended: Void = outcome { line in reported.withLock { $0.append(line) } }
        try await home.household.answer(theirs.invitation, .accept(typed: nil), always: true)
        _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
        try await peer.say(.members(.init(session: theirs.session, members: [])))
        try await ended
        #expect(try await home.node.ledger.peer(peer.id)?.policy == .accept)
        let events = reported.withLock { $0 }.map(\.name).filter { $0 != "waiting" }
        #expect(events == ["invited", "let-in"])
        await home.end()
    }

    @Test("a task that is added during the end may add another one, and both are done")
    func failed() async throws {
        let (home, peer, theirs) = try await Home.asked()
        let outcome = try home.household.outcome(of: theirs.invitation)
        async let ended: Void = outcome { _ in }
        try await peer.say(.inviteCancel(.init(invitation: theirs.invitation, reason: .withdrawn)))
        do {
            try await ended
            Issue.record("it is said to be in")
        } catch let error as SessionError {
            #expect(error.reason == .withdrawn)
        }
        #expect(throws: HouseholdError.self) { _ = try home.household.outcome(of: theirs.invitation) }
        await home.end()
    }

    @Test("a task that waits for another one, which is added during the end, gets it")
    func abandoned() async throws {
        let (home, _, theirs) = try await Home.asked()
        let outcome = try home.household.outcome(of: theirs.invitation)
        await #expect(throws: CancellationError.self) { try await outcome { _ in throw CancellationError() } }
        let kept = Mirror(reflecting: home.household.pendingInvitations).children.first { $0.label == "outcomes" }
        #expect((kept?.value as? any Collection)?.isEmpty == true)
        await home.end()
    }
}
