import Ledger
import LinuxPlatform
import SessionRules
import Testing
import Vocabulary

@testable import Session

@Suite("Invitations", .timeLimit(.minutes(5)))
@Engine
struct InvitationTests {
    @Test("two strangers know each other once the code of one was typed at the other")
    func firstMeeting() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let chat = try deck.session()
        async let invited = deck.node.invite(.address(try desk.address), to: chat, context: Array("hi".utf8))
        let (id, code) = try await deck.nextCode()
        let invitation = try await desk.nextInvitation()
        #expect(invitation.codeNeed == .there)
        #expect(invitation.name.text == "Deck")
        #expect(invitation.context == Array("hi".utf8))
        #expect(invitation.id == id)
        try await desk.node.answer(invitation.id, .accept(typed: code))
        #expect(try await invited == desk.id)
        let there = try await desk.nextJoined()
        #expect(there.peers == [deck.id])
        try await chat.send(Array("hello".utf8))
        #expect(try await there.nextMessage().bytes == Array("hello".utf8))
        await deck.stop()
        await desk.stop()
        #expect(try await desk.node.ledger.peer(deck.id)?.isPinned == true)
        #expect(try await deck.node.ledger.peer(desk.id)?.isPinned == true)
    }
}
