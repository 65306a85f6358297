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
        case invitedStranger, invitedFriend
    }

    /// Long enough for two answers, even on a busy machine.
    private static let patience = Duration.seconds(4)

    @Test("an expired invitation names on both sides the missing answer", arguments: Silence.allCases)
    func late(silence: Silence) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        if silence == .invitedFriend {
            try await deck.befriend(desk)
            try await desk.node.setPolicy(.ask, for: deck.id)
        }
        let chat = try deck.session()
        async let invited = deck.outcome(of: desk, into: chat, patience: Self.patience)
        if silence == .invitedStranger { _ = try await deck.nextCode() }
        _ = try await desk.nextInvitation()
        let there = try await desk.next { event -> MissingWord?? in
            if case .invitationOver(_, .timedOut, let missing) = event { .some(missing) } else { nil }
        }
        let expected: (here: MissingWord, there: MissingWord) =
            switch silence {
            case .invitedStranger: (.codeThere, .codeHere)
            case .invitedFriend: (.answerThere, .answerHere)
            }
        #expect(there == expected.there)
        let here = await invited
        #expect(throws: SessionError(.timedOut, missing: expected.here)) { try here.get() }
        await deck.stop()
        await desk.stop()
    }

    @Test(
        "an expired invitation blames no user here for a missing answer there, nor the other way round, and stays a time limit for programs"
    )
    func words() {
        for missing in MissingWord.allCases {
            let error = SessionError(.timedOut, missing: missing)
            #expect(error.code == "session.timed-out" && error.reason == .timedOut)
            let words = error.message + error.nextStep
            switch missing {
            case .answerHere: #expect(words.contains("no one here") && !words.contains("ask the person there"))
            case .answerThere: #expect(!words.contains("no one here") && words.contains("ask the person there"))
            case .codeHere: #expect(words.contains("was not typed here"))
            case .codeThere: #expect(words.contains("was not typed on the other machine"))
            case .machineThere: #expect(!words.contains("no one") && !words.contains("person"))
            }
            #expect(SessionError(.declined, missing: missing) == SessionError(.declined))
        }
    }
}
