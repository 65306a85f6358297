import Ledger
import Testing
import TestSupport
import Vocabulary

@Suite("Waiting invitations in the ledger", .timeLimit(.minutes(5)))
struct InvitationTests {
    let kit = LedgerKit()
    let first = InvitationID(high: 1, low: 1)
    let second = InvitationID(high: 0, low: 2)

    @Test("A stored invitation is read unchanged, the oldest first")
    func roundTrip() async throws {
        let ledger = try await kit.open()
        let (older, newer) = (try waiting(first), try waiting(second, peer: peerID(2), cameAt: 5))
        try await ledger.invitations.put(newer)
        try await ledger.invitations.put(older)
        try await ledger.invitations.put(older)
        #expect(try await ledger.invitations.waiting(at: someTime(6)).values == [older, newer])
    }

    @Test("An invitation without code, name or context is read unchanged")
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
        try await ledger.invitations.put(bare)
        #expect(try await ledger.invitations.waiting().values == [bare])
    }

    @Test("An expired invitation is not listed, and is removed")
    func expired() async throws {
        let ledger = try await kit.open()
        try await ledger.invitations.put(waiting(first))
        #expect(try await ledger.invitations.waiting(at: someTime(60)).values.isEmpty)
        try await ledger.invitations.removeExpired(at: someTime(59))
        #expect(try await ledger.invitations.waiting(at: someTime(59)).values.count == 1)
        try await ledger.invitations.removeExpired(at: someTime(60))
        #expect(try await ledger.invitations.remove(first) == false)
    }

    @Test("Only the invitation that is taken back is removed")
    func removed() async throws {
        let ledger = try await kit.open()
        for id in [first, second] { try await ledger.invitations.put(waiting(id)) }
        #expect(try await ledger.invitations.remove(first))
        #expect(try await ledger.invitations.remove(first) == false)
        #expect(try await ledger.invitations.waiting(at: someTime(1)).values.map(\.id) == [second])
    }
}
