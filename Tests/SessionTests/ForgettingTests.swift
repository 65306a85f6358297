import Ledger
import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary

@testable import Session

@Suite("A machine that is forgotten", .timeLimit(.minutes(5)))
@Engine
struct ForgettingTests {
    /// The program that forgets the machine.
    enum Forgetter: CaseIterable {
        case daemon, otherProgram

        func forget(_ peer: PeerID, at node: TestNode) async throws {
            switch self {
            case .daemon: #expect(try await node.node.forget(peer))
            case .otherProgram: #expect(try await Ledger.open(at: node.folder.path + "/huddle").forget(peer))
            }
        }
    }

    @Test(
        "a forgotten machine is out of a live session at once, sees only a broken connection, and is a question when it returns",
        arguments: Forgetter.allCases
    )
    func live(forgetter: Forgetter) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let link = try #require(desk.node.link(to: deck.id))
        try await forgetter.forget(deck.id, at: desk)
        let reason = try await EventLoop.shared.withDeadline(.seconds(30), "departure") {
            try await there.nextDeparture()
        }
        #expect(reason == .forgotten)
        #expect(!link.isOpen)
        let broken = try await here.next { if case .away(_, let reason) = $0 { reason } else { nil } }
        #expect(broken == .lost)
        // The other machine dials again by itself, and invites a machine that no longer knows the session.
        let question = try await desk.nextInvitation()
        #expect(question.peer == deck.id && question.codeNeed == .here)
        #expect(desk.node.members.isEmpty)
        await deck.stop()
        await desk.stop()
    }

    @Test(
        "a forgotten machine is out though it is offline, and the daemon does not wait for it",
        arguments: Forgetter.allCases
    )
    func away(forgetter: Forgetter) async throws {
        let distant = Reconnection.Pace(first: .seconds(600), longest: .seconds(600))
        let deck = try await TestNode.open("Deck") { $0.patience.reconnection = distant }
        let desk = try await TestNode.open("Desk") { $0.patience.reconnection = distant }
        let (_, there) = try await deck.connect(to: desk)
        desk.node.link(to: deck.id)?.channel.abort()
        _ = try await there.next { if case .away = $0 { true } else { nil } }
        try await forgetter.forget(deck.id, at: desk)
        let reason = try await EventLoop.shared.withDeadline(.seconds(30), "departure") {
            try await there.nextDeparture()
        }
        #expect(reason == .forgotten)
        #expect(desk.node.peers.values.allSatisfy { $0.reconnector == nil })
        await deck.stop()
        await desk.stop()
    }

    @Test("an answer to an earlier question does not accept a forgotten machine", arguments: Forgetter.allCases)
    func question(forgetter: Forgetter) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        try await deck.befriend(desk)
        try await desk.node.setPolicy(.ask, for: deck.id)
        let chat = try deck.session()
        async let invited = deck.outcome(of: desk, into: chat)
        let question = try await desk.nextInvitation()
        #expect(question.codeNeed == .none)
        try await forgetter.forget(deck.id, at: desk)
        try await EventLoop.shared.withDeadline(.seconds(30), "end of the question") {
            while await !desk.node.receivedInvitations.isEmpty { try await othersTurn() }
        }
        try await desk.node.answer(question.id, .accept(typed: nil))
        let outcome = await invited
        #expect(throws: SessionError(.lost)) { try outcome.get() }
        await deck.stop()
        await desk.stop()
    }

    @Test(
        "the word of a fellow member of a mesh does not accept a forgotten machine again",
        arguments: Forgetter.allCases
    )
    func mesh(forgetter: Forgetter) async throws {
        var nodes: [TestNode] = []
        for name in ["Deck", "Desk", "Box"] { nodes.append(try await TestNode.open(name)) }
        let (deck, desk, box) = (nodes[0], nodes[1], nodes[2])
        let chat = try deck.session()
        var sessions = [chat]
        for other in [desk, box] {
            try await deck.befriend(other)
            try await deck.node.invite(.address(try other.address), to: chat)
            sessions.append(try await other.nextJoined())
        }
        // Each of the two knows the other, and the host's introduction admits it. Without the introduction, the user
        // would be asked.
        try await desk.befriend(box)
        try await desk.node.setPolicy(.ask, for: box.id)
        for session in sessions {
            while session.connectedPeers.count < 2 { _ = await session.events.next() }
        }
        let there = sessions[1]
        try await forgetter.forget(box.id, at: desk)
        let reason = try await EventLoop.shared.withDeadline(.seconds(30), "departure") {
            try await there.nextDeparture()
        }
        #expect(reason == .forgotten)
        let others = sessions[2]
        _ = try await others.next { if case .away(desk.id, _) = $0 { true } else { nil } }
        // Only the one of the two that dialled would dial again by itself.
        _ = try? await box.node.dialler.link(to: .address(try desk.address))
        try await EventLoop.shared.withDeadline(.seconds(60), "end of the membership") {
            while await others.members[desk.id] != nil { try await othersTurn() }
        }
        // If it was the inviter, it has begun to invite again by itself.
        async let again = box.outcome(of: desk, into: others, patience: .seconds(5))
        let isPassedOver = try await EventLoop.shared.withDeadline(.seconds(60), "judgement") {
            while await there.members[box.id] == nil {
                if await desk.isPassingOver(box.id) { return true }
                try await othersTurn()
            }
            return false
        }
        #expect(isPassedOver)
        for invitation in box.node.sentInvitations.values { invitation.withdraw() }
        let end = await again
        #expect(throws: SessionError.self) { try end.get() }
        #expect(there.peers == [deck.id])
        let meeting = try box.session("meeting")
        async let asked = box.outcome(of: desk, into: meeting)
        let question = try await desk.nextInvitation()
        #expect(question.peer == box.id && question.codeNeed == .here)
        try await desk.node.answer(question.id, .decline)
        let outcome = await asked
        #expect(throws: SessionError(.declined)) { try outcome.get() }
        for node in nodes { await node.stop() }
    }

    @Test("a machine that the ledger never knew stays, whatever else is written there")
    func neverKnown() async throws {
        let deck = try await TestNode.open("Deck") { $0.meetsWithoutCodes = true }
        let desk = try await TestNode.open("Desk") { $0.meetsWithoutCodes = true }
        let chat = try deck.session()
        async let invited = deck.outcome(of: desk, into: chat)
        try await desk.node.answer(try await desk.nextInvitation().id, .accept(typed: nil))
        _ = try (await invited).get()
        let there = try await desk.nextJoined()
        #expect(try await desk.node.ledger.peer(deck.id) == nil)
        let program = try await Ledger.open(at: desk.folder.path + "/huddle")
        let other = Identity.ephemeral().peerID
        try await program.pin(other)
        #expect(try await program.forget(other))
        try await program.setDefaultPolicy(.ask)
        try await desk.node.setPolicy(.ask, for: other)
        #expect(try await desk.node.forget(other))
        #expect(try await !desk.node.forget(deck.id))
        try await chat.send([1])
        #expect(try await there.nextMessage().bytes == [1])
        await deck.stop()
        await desk.stop()
    }

    @Test("a machine that a late answer of the ledger does not have yet is not forgotten")
    func lateReading() throws {
        var machines = KnownMachines()
        let (one, other) = (Identity.ephemeral().peerID, Identity.ephemeral().peerID)
        func known(_ peer: PeerID, isPinned: Bool = true) -> KnownPeer {
            var known = KnownPeer(id: peer)
            known.pinnedSince = isPinned ? .now : nil
            return known
        }
        let (first, second, third) = (machines.beginReading(), machines.beginReading(), machines.beginReading())
        #expect(machines.take([known(one), known(other)], from: second) == [])
        #expect(machines.take([known(one)], from: first) == nil)
        #expect(machines.take([known(one, isPinned: false)], from: third) == [one, other])
        #expect(machines.take([known(one), known(other)], from: machines.beginReading()) == [])
        #expect(machines.take([], from: machines.beginReading()) == [one, other])
    }
}

extension TestNode {
    /// True if a peer has invited and the user gets no question.
    fileprivate func isPassingOver(_ peer: PeerID) -> Bool {
        node.receivedInvitations.values.contains { $0.peer == peer && $0.isSilent }
    }
}
