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
        try await ledger.putBefore(newer)
        try await ledger.putBefore(older)
        try await ledger.putBefore(older)
        #expect(try await ledger.waitingInvitations(at: someTime(6)).values == [older, newer])
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
        try await ledger.putBefore(bare)
        #expect(try await ledger.waitingInvitations().values == [bare])
    }

    @Test("An expired invitation is not listed, and is removed")
    func expired() async throws {
        let ledger = try await kit.open()
        try await ledger.putBefore(waiting(first))
        #expect(try await ledger.waitingInvitations(at: someTime(60)).values.isEmpty)
        try await ledger.removeExpiredInvitations(at: someTime(59))
        #expect(try await ledger.waitingInvitations(at: someTime(59)).values.count == 1)
        try await ledger.removeExpiredInvitations(at: someTime(60))
        #expect(try await ledger.removeInvitation(first) == false)
    }

    @Test("Only the invitation that is taken back is removed")
    func removed() async throws {
        let ledger = try await kit.open()
        for id in [first, second] { try await ledger.putBefore(waiting(id)) }
        #expect(try await ledger.removeInvitation(first))
        #expect(try await ledger.removeInvitation(first) == false)
        #expect(try await ledger.waitingInvitations(at: someTime(1)).values.map(\.id) == [second])
    }
}
