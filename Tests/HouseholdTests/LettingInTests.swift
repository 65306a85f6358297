import LinuxPlatform
import Database
import ScriptedPeers
import Session
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary
import Wire

@testable import Household
@testable import Ledger

@Suite("Machines that the user accepts", .timeLimit(.minutes(4)))
@Engine
struct LettingInTests {
    @Test("an accepted machine is in although the ledger can't store its policy, and the household goes on")
    func unkept() async throws {
        let (home, peer, theirs) = try await Home.asked()
        let reader = home.household.events.follow()
        try LedgerDatabase(at: home.folder.path(of: "state/ledger.sqlite")).execute("DROP TABLE peers")
        try await home.household.answer(theirs.invitation, .accept(typed: nil), always: true)
        _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
        try await peer.say(.members(.init(session: theirs.session, members: [])))
        var events: [DaemonLine] = []
        while !events.contains(where: { $0.sentence?.contains("is not kept") == true }) {
            events += try #require(await reader.next())
        }
        #expect(events.contains { $0.name == "let-in" })
        #expect(home.isLiving)
        await home.end()
    }

    @Test("the daemon keeps nothing of strangers who asked and have gone, however many they were")
    func strangers() async throws {
        let home = try await Home("Desk")
        home.run()
        for number in 1...8 as ClosedRange<UInt8> {
            let peer = try await ScriptedPeer.greeted(by: home.node, named: "Stranger \(number)", from: number)
            let theirs = try peer.invite()
            try await peer.begin(theirs)
            while home.household.waitingInvitations.isEmpty { try await othersTurn() }
            try await peer.say(.inviteCancel(.init(invitation: theirs.invitation, reason: .withdrawn)))
            while !home.household.waitingInvitations.isEmpty { try await othersTurn() }
        }
        let kept = Mirror(reflecting: home.household.pendingInvitations).children.compactMap {
            $0.value as? any Collection
        }
        #expect(kept.count > 1 && kept.allSatisfy(\.isEmpty), "\(kept)")
        await home.end()
    }

    @Test("the user reads why an invitation ended, even if the log only counts the acts of strangers")
    func reasonOfAnEnd() async throws {
        let home = try await Home("Desk")
        home.run()
        // These invitations fill the part of the log that is for unpaired machines, and cause no question.
        let identity = Identity.ephemeral()
        try await home.node.block(identity.peerID)
        let noise = try await ScriptedPeer.greeted(by: home.node, as: identity, named: "Noise", from: 2)
        for _ in 1...15 {
            try await noise.begin(noise.invite())
        }
        let peer = try await ScriptedPeer.greeted(by: home.node, named: "Deck", from: 3)
        let theirs = try peer.invite()
        try await peer.begin(theirs)
        while home.household.waitingInvitations.isEmpty { try await othersTurn() }
        try await peer.say(.inviteCancel(.init(invitation: theirs.invitation, reason: .withdrawn)))
        while !home.household.waitingInvitations.isEmpty { try await othersTurn() }
        #expect(home.household.nothingWaits("Deck").message.contains("the invitation was taken back"))
        await #expect {
            try await home.household.answer(theirs.invitation, .accept(typed: nil))
        } throws: { error in
            "\(error)".contains("the invitation was taken back")
        }
        #expect(!home.household.nothingWaits("Noise").message.contains(":"))
        let about = try await home.node.ledger.audit().values.filter { $0.peer == peer.id }
        #expect(about.contains { $0.event == "invitation-over" }, "\(about)")
        await home.end()
    }

    @Test("the reasons of ended invitations are kept up to a limit, the newest ones")
    func boundedReasons() throws {
        var ended = EndedInvitations()
        let peers = (0...EndedInvitations.limit).map { _ in Identity.ephemeral().peerID }
        for (place, peer) in peers.enumerated() {
            let name = try InstanceName("Deck \(place)")
            ended.add(InvitationID(high: 0, low: UInt64(place)), of: PeerTag(peer, name), .lost, nil)
        }
        #expect(ended.reason(from: "Deck 0") == nil && ended.reason(from: "Deck 1") != nil)
        ended.forget(peers[1])
        #expect(ended.reason(from: "Deck 1") == nil)
        // Two machines have one name: neither gets the reason of the other.
        ended.add(InvitationID(high: 0, low: 99), of: PeerTag(peers[0], try InstanceName("Deck 2")), .lost, nil)
        #expect(ended.reason(from: "Deck 2") == nil)
    }

    @Test("a machine whose name looks like that of a known one is shown with that")
    func lookalike() async throws {
        let home = try await Home("Desk")
        home.run()
        let known = try #require(PeerID(bytes: Array(repeating: 7, count: 32)))
        try await home.node.trust(known, named: InstanceName("Alpha"))
        let peer = try await ScriptedPeer.greeted(by: home.node, named: "\u{410}lpha", from: 3)
        try await peer.begin(peer.invite())
        while home.household.waitingInvitations.isEmpty { try await othersTurn() }
        let asked = try #require(home.household.waitingInvitations.first)
        #expect(asked.event.peer?.twin?.text == "Alpha")
        #expect(
            asked.sentence?.contains(#"\u{410}lpha"#) == true && asked.sentence?.contains("looks like “Alpha”") == true
        )
        await home.end()
    }

    @Test("The line about a peer that left has its name")
    func nameOfTheGone() async throws {
        let home = try await Home("Desk")
        home.run()
        let peer = try await ScriptedPeer.trusted(by: home.node, named: "Mallory")
        let reader = home.household.events.follow()
        let session = try await peer.enter()
        try await peer.say(.leave(.init(session: session, reason: .left)))
        var left: DaemonLine?
        while left == nil { left = try #require(await reader.next()).first { $0.name == "left" } }
        #expect(left?.event.peer?.name?.text == "Mallory")
        await home.end()
    }
}
