import LinuxPlatform
import Ledger
import ScriptedPeers
import Session
import Testing
import Transport
import Vocabulary
import Wire

@testable import Household
import TestSupport

@Suite("A call to a machine that asks to come in", .timeLimit(.minutes(4)))
@Engine
struct CrossedCallTests {
    @Test("a machine that the user accepts for good ends the question, and needs none from then on")
    func letInForGood() async throws {
        let (home, peer, theirs) = try await Home.asked()
        let mine = home.node.session(SessionConfiguration(name: try Label("call"), topology: .pair))
        async let called = home.node.invite(.peer(peer.id), to: mine)
        _ = try await peer.nextInvite()
        try await home.household.answer(theirs.invitation, .accept(typed: nil), always: true)
        _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
        try await peer.say(.members(.init(session: theirs.session, members: [])))
        #expect(try await called == peer.id)
        while !home.household.waitingInvitations.isEmpty { try await othersTurn() }
        while try await home.node.ledger.peer(peer.id)?.policy != .accept { try await othersTurn() }
        await home.end()
    }

    @Test("After a yes to the call the question is over, and no line says that it failed")
    func calledMeanwhile() async throws {
        let home = try await Home("Desk")
        home.run()
        // If the two invitations cross, that of this machine stays.
        var identity = Identity.ephemeral()
        while identity.peerID < home.node.id { identity = .ephemeral() }
        try await home.node.trust(identity.peerID)
        let peer = try await ScriptedPeer.greeted(by: home.node, as: identity)
        try await peer.say(.invite(try peer.invite(isCodeNeeded: false)))
        while home.household.waitingInvitations.isEmpty { try await othersTurn() }
        let reader = home.household.events.follow()
        let mine = home.node.session(SessionConfiguration(name: try Label("call"), topology: .pair))
        async let called = home.node.invite(.peer(peer.id), to: mine)
        try await peer.answer(try await peer.nextInvite(), .accepted)
        #expect(try await called == peer.id)
        while !home.household.waitingInvitations.isEmpty { try await othersTurn() }
        let over = reader.rest().filter { $0.name == "invitation-over" }
        guard over.count == 1, case .invitationEnded(let event) = over[0].event else {
            Issue.record("\(over)")
            return
        }
        #expect(event.reason == "replaced")
        #expect(over.first?.sentence?.contains("is not in") == false)
        await home.end()
    }
}
