import Ledger
import Testing
import TestSupport
import Vocabulary

@Suite("Invitations that wait for a person", .timeLimit(.minutes(5)))
struct InvitationTests {
    let kit = LedgerKit()
    let first = InvitationID(high: 1, low: 1)
    let second = InvitationID(high: 0, low: 2)

    @Test("one that was put before the person comes out as it went in, the oldest first")
    func roundTrip() async throws {
        let ledger = try await kit.open()
        let (older, newer) = (try waiting(first), try waiting(second, peer: peerID(2), cameAt: 5))
        try await ledger.putBefore(newer)
        try await ledger.putBefore(older)
        try await ledger.putBefore(older)
        #expect(try await ledger.waitingInvitations(at: someTime(6)).values == [older, newer])
    }

    @Test("without a code, a name or a context it comes out so")
    func bare() async throws {
        let ledger = try await kit.open()
        let bare = WaitingInvitation(
            id: first,
            peer: peerID(1),
            name: nil,
            session: SessionID(high: 0, low: 0),
            sessionName: try Label("x"),
            codeNeed: .none,
            patienceUntil: .now + 60
        )
        try await ledger.putBefore(bare)
        #expect(try await ledger.waitingInvitations().values == [bare])
    }

    @Test("what an inviter no longer waits for is not listed, can't be answered, and is cleared away")
    func expired() async throws {
        let ledger = try await kit.open()
        try await ledger.putBefore(waiting(first))
        #expect(try await ledger.waitingInvitations(at: someTime(60)).values.isEmpty)
        #expect(try await ledger.answer(first, with: .decline, at: someTime(60)) == false)
        try await ledger.removeExpiredInvitations(at: someTime(59))
        #expect(try await ledger.answer(first, with: .decline, at: someTime(59)))
        try await ledger.removeExpiredInvitations(at: someTime(60))
        #expect(try await ledger.removeInvitation(first) == false)
        #expect(try await ledger.takeAnswers(to: [first]).isEmpty)
    }

    @Test("an answer is taken once, and another one can follow, as after a mistyped code")
    func answers() async throws {
        let ledger = try await kit.open()
        try await ledger.putBefore(waiting(first))
        for verdict in [
            .accept(typedCode: "'; --"), .accept(typedCode: nil), .accept(typedCode: nil, always: true), .decline,
            .block,
        ]
            as [InvitationAnswer.Verdict]
        {
            #expect(try await ledger.answer(first, with: verdict, at: someTime(1)))
            #expect(try await ledger.takeAnswers(to: [first]).map(\.verdict) == [verdict])
            #expect(try await ledger.takeAnswers(to: [first]).isEmpty)
        }
    }

    @Test("of two answers that nobody has taken the later one counts")
    func laterAnswer() async throws {
        let ledger = try await kit.open()
        try await ledger.putBefore(waiting(first))
        _ = try await ledger.answer(first, with: .accept(typedCode: nil), at: someTime(1))
        _ = try await ledger.answer(first, with: .block, at: someTime(2))
        #expect(try await ledger.takeAnswers(to: [first]).map(\.verdict) == [.block])
    }

    @Test("answers to somebody else's invitations stay for that one")
    func othersAnswers() async throws {
        let ledger = try await kit.open()
        for id in [first, second] {
            try await ledger.putBefore(waiting(id))
            _ = try await ledger.answer(id, with: .decline, at: someTime(1))
        }
        #expect(try await ledger.takeAnswers(to: [first, InvitationID(high: 9, low: 9)]).map(\.invitation) == [first])
        #expect(try await ledger.takeAnswers(to: [second]).map(\.invitation) == [second])
    }

    @Test("one that is taken back takes its answer with it")
    func removed() async throws {
        let ledger = try await kit.open()
        try await ledger.putBefore(waiting(first))
        _ = try await ledger.answer(first, with: .decline, at: someTime(1))
        #expect(try await ledger.removeInvitation(first))
        #expect(try await ledger.takeAnswers(to: [first]).isEmpty)
        #expect(try await ledger.answer(first, with: .decline, at: someTime(1)) == false)
    }
}
