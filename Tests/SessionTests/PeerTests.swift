import Ledger
import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Session

@Suite("The object for a remote machine", .timeLimit(.minutes(5)))
@Engine
struct PeerTests {
    @Test("a peer object lasts as long as the session, and ends with the unused link")
    func ends() async throws {
        let deck = try await TestNode.open("Deck") { $0.patience.idleLink = .seconds(1) }
        let desk = try await TestNode.open("Desk") { $0.patience.idleLink = .seconds(1) }
        let (here, there) = try await deck.connect(to: desk)
        weak let peer = deck.node.peers[desk.id]
        #expect(peer?.isMember == true && deck.node.peers.count == 1)
        here.leave()
        #expect(try await there.nextDeparture() == .left)
        // No part of the peer holds the peer.
        while peer != nil || !desk.node.peers.isEmpty { try await othersTurn() }
        #expect(deck.node.peers.isEmpty)
        await deck.stop()
        await desk.stop()
    }

    @Test("a machine whose invitation is declined leaves no peer object")
    func declined() async throws {
        let deck = try await TestNode.open("Deck") { $0.patience.idleLink = .seconds(1) }
        let desk = try await TestNode.open("Desk")
        let session = try deck.session()
        async let outcome = deck.outcome(of: desk, into: session)
        try await desk.node.answer(try await desk.nextInvitation().id, .decline)
        if case .success = await outcome { Issue.record("the invitation was declined") }
        while !deck.node.peers.isEmpty || !desk.node.peers.isEmpty { try await othersTurn() }
        await deck.stop()
        await desk.stop()
    }

    @Test("more notes than the disk takes are dropped, and one note says how many")
    func lostNotes() async throws {
        let desk = try await TestNode.open("Desk")
        for number in 0..<300 { desk.node.note("noted-\(number)", about: nil) }
        var lost: AuditEntry?
        while lost == nil {
            try await othersTurn()
            lost = try await desk.node.ledger.audit().values.first { $0.event == "notes-lost" }
        }
        #expect(lost?.details.first?.value == "44")
        await desk.stop()
    }
}
