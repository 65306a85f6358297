import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Session

@Suite("An invitation that runs into its time limit", .timeLimit(.minutes(5)))
@Engine
struct LateInvitationTests {
    enum Silence: CaseIterable, Sendable {
        case inviter, invited, both, invitedFriend
    }

    /// Long enough that a busy machine gets two answers through.
    private static let patience = Duration.seconds(4)

    @Test("says on both sides whose word was missing", arguments: Silence.allCases)
    func late(silence: Silence) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        if silence == .invitedFriend {
            try await deck.befriend(desk)
            try await desk.node.setPolicy(.ask, for: deck.id)
        }
        let chat = try deck.session()
        async let invited = deck.outcome(of: desk, into: chat, patience: Self.patience)
        if silence != .invitedFriend {
            let (id, _) = try await deck.nextCode()
            if silence == .invited { deck.node.confirm(id) }
        }
        let invitation = try await desk.nextInvitation()
        if silence == .inviter { try await desk.node.answer(invitation.id, .accept(typed: nil)) }
        let there = try await desk.next { event -> MissingWord?? in
            if case .invitationOver(_, .timedOut, let missing) = event { .some(missing) } else { nil }
        }
        let expected: (here: MissingWord, there: MissingWord) =
            switch silence {
            case .inviter: (.codeHere, .codeThere)
            case .invited: (.codeThere, .codeHere)
            case .both: (.bothCodes, .bothCodes)
            case .invitedFriend: (.personThere, .personHere)
            }
        #expect(there == expected.there)
        let here = await invited
        #expect(throws: SessionError(.timedOut, missing: expected.here)) { try here.get() }
        await deck.stop()
        await desk.stop()
    }

    @Test("blames nobody here for what was missing there, nor the other way round, and stays a time limit for programs")
    func words() {
        for missing in MissingWord.allCases {
            let error = SessionError(.timedOut, missing: missing)
            #expect(error.code == "session.timed-out" && error.reason == .timedOut)
            let words = error.message + error.nextStep
            switch missing {
            case .personHere, .codeHere:
                #expect(words.contains("nobody here") && !words.contains("ask the person there"))
            case .personThere, .codeThere:
                #expect(!words.contains("nobody here") && words.contains("ask the person there"))
            case .machineThere, .bothCodes: #expect(!words.contains("nobody") && !words.contains("person"))
            }
            #expect(SessionError(.declined, missing: missing) == SessionError(.declined))
        }
    }
}
