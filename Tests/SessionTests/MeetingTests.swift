import Ledger
import LinuxPlatform
import ScriptedPeers
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary
import Wire

@testable import Session

@Suite("Members of a session", .timeLimit(.minutes(5)))
@Engine
struct MeetingTests {
    @Test("friends that invite each other at the same moment end in one session", arguments: 0..<10)
    func crossed(round: Int) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        try await deck.befriend(desk)
        let (mine, theirs) = (try deck.session(), try desk.session())
        async let one = deck.node.invite(.address(try desk.address), to: mine)
        async let other = desk.node.invite(.address(try deck.address), to: theirs)
        #expect(try await one == desk.id)
        #expect(try await other == deck.id)
        #expect(deck.node.members.count == 1)
        #expect(desk.node.members.count == 1)
        try await mine.send([1])
        #expect(try await theirs.nextMessage().bytes == [1])
        try await theirs.send([2])
        #expect(try await mine.nextMessage().bytes == [2])
        await deck.stop()
        await desk.stop()
    }

    @Test(
        "two machines that invite each other for different purposes are in two sessions, in any order",
        arguments: 0..<3
    )
    func twoPurposes(round: Int) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        try await deck.befriend(desk)
        let (mine, theirs) = (try deck.session(), try desk.session())
        let saves = Array("huddle-saves/1".utf8)
        async let one = deck.node.invite(.address(try desk.address), to: mine, context: round == 1 ? saves : [])
        async let other = desk.node.invite(.address(try deck.address), to: theirs, context: round == 1 ? [] : saves)
        #expect(try await one == desk.id)
        #expect(try await other == deck.id)
        // The invited machine is in the session a moment after the inviter knows it.
        while deck.node.members.count < 2 || desk.node.members.count < 2 { try await othersTurn() }
        #expect(!deck.node.sessions.values.contains { $0.id == theirs.id && $0 === mine })
        await deck.stop()
        await desk.stop()
    }

    @Test("an address with another program is reported as such, and not as another version")
    func otherProgram() async throws {
        let deck = try await TestNode.open("Deck")
        let server = try ListeningSocket(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: Engine.loop)
        async let answering: Void = server.accept().send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        let address = try HostAndPort(server.address.description)
        let session = try deck.session()
        let error = await #expect(throws: SessionError.self) {
            try await deck.node.invite(.address(address), to: session)
        }
        #expect(error?.code == "session.not-huddle")
        #expect(error?.message.contains("web server") == true)
        try await answering
        await deck.stop()
    }

    @Test("an invitation that comes while its sender is dialled leads into the intended session")
    func dialled() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        try await deck.befriend(desk)
        let (mine, theirs) = (try deck.session(), try desk.session())
        let intended = IntendedInvitation(.address(try desk.address), to: mine, for: .init(of: []))
        deck.node.intendedInvitations.append(intended)
        async let other = desk.node.invite(.address(try deck.address), to: theirs)
        while deck.node.arrivedInvites.isEmpty { try await othersTurn() }
        #expect(deck.node.receivedInvitations.isEmpty, "it waits until it is known who is dialled")
        intended.setPeer(desk.id)
        #expect(try await other == deck.id)
        #expect(try await deck.node.invite(.peer(desk.id), to: mine) == desk.id)
        #expect(deck.node.members.count == 1)
        try await theirs.send([2])
        #expect(try await mine.nextMessage().bytes == [2])
        await deck.stop()
        await desk.stop()
    }

    @Test("an invitation sent again over another link, while the first one is still considered, is not lost")
    func sentAgain() async throws {
        try await TestNode.with { desk in
            let identity = Identity.ephemeral()
            try await desk.node.trust(identity.peerID)
            let first = try await ScriptedPeer.greeted(by: desk.node, as: identity)
            // The inviter waits while the dialled machine is unknown.
            let intended = IntendedInvitation(.address(try desk.address), to: try desk.session(), for: .init(of: []))
            desk.node.intendedInvitations.append(intended)
            let invite = try first.invite(isCodeNeeded: false)
            try await first.say(.invite(invite))
            while desk.node.arrivedInvites.isEmpty { try await othersTurn() }
            let link = desk.node.link(to: identity.peerID)
            let second = try await ScriptedPeer.greeted(by: desk.node, as: identity)
            try await second.say(.invite(invite))
            while desk.node.arrivedInvites[identity.peerID]?.last.map({ $0.link === link }) != false {
                try await othersTurn()
            }
            intended.close()
            #expect(try await desk.nextInvitation().peer == identity.peerID)
        }
    }

    @Test("strangers that invite each other at the same moment use one code and end in one session")
    func crossedStrangers() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (mine, theirs) = (try deck.session(), try desk.session())
        async let one = deck.node.invite(.address(try desk.address), to: mine)
        async let other = desk.node.invite(.address(try deck.address), to: theirs)
        // The invitation of the machine with the smaller ID stays: its code is typed at the other machine.
        let (shows, types) = deck.id < desk.id ? (deck, desk) : (desk, deck)
        let (id, code) = try await shows.nextCode()
        let asked = try await types.next { event -> ReceivedInvitation? in
            if case .invited(let invitation) = event, invitation.id == id { invitation } else { nil }
        }
        #expect(asked.ownSession != nil)
        try await types.node.answer(id, .accept(typed: code))
        #expect(try await one == desk.id)
        #expect(try await other == deck.id)
        try await mine.send([1])
        #expect(try await theirs.nextMessage().bytes == [1])
        await deck.stop()
        await desk.stop()
    }

    @Test(
        "an invitation to a machine whose own invitation was accepted asks no second time: that one becomes the session"
    )
    func invitedAfterYes() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.askedAbout(by: desk.node)
            let (mine, invite) = (try desk.session(), try peer.invite(isCodeNeeded: false))
            try await peer.say(.invite(invite))
            let asked = try await desk.nextInvitation()
            try await desk.node.answer(asked.id, .accept(typed: nil))
            async let invited = desk.node.invite(.peer(peer.id), to: mine)
            let request = try #require(desk.node.receivedInvitations[invite.invitation])
            while desk.node.sentInvitations.isEmpty, !request.leads(to: mine) { try await othersTurn() }
            #expect(desk.node.sentInvitations.isEmpty, "it has said yes, and asks no question of its own beside that")
            try await peer.say(.members(.init(session: invite.session, members: [])))
            #expect(try await invited == peer.id)
            #expect(mine.peers == [peer.id] && desk.node.members.count == 1)
            // The user learns the result of accepting.
            try await desk.next { event -> Void? in
                guard case .letIntoOwn(asked.id, let session, by: peer.id) = event else { return nil }
                return session === mine ? () : nil
            }
            let heard = try await peer.echoes()
            #expect(!heard.contains { if case .invite = $0 { true } else { false } })
        }
    }

    @Test("an invitation that crossed one that the user then accepts waits for nothing: the two are one session")
    func yesAfterInviting() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.askedAbout(by: desk.node)
            let (mine, theirs) = (try desk.session(), try peer.invite(isCodeNeeded: false))
            try await peer.say(.invite(theirs))
            let asked = try await desk.nextInvitation()
            async let invited = desk.node.invite(.peer(peer.id), to: mine)
            // The machine with the smaller ID ignores the other's invitation, because its own is on its way.
            _ = try await peer.nextInvite()
            try await desk.node.answer(asked.id, .accept(typed: nil))
            _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
            try await peer.say(.members(.init(session: theirs.session, members: [])))
            #expect(try await invited == peer.id)
            #expect(mine.peers == [peer.id] && desk.node.members.count == 1)
            #expect(desk.node.sentInvitations.isEmpty && desk.node.receivedInvitations.isEmpty)
        }
    }

    @Test("an invitation that is not needed when it should go out is never sent")
    func meantToInvite() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.askedAbout(by: desk.node)
            let (mine, theirs) = (try desk.session(), try peer.invite(isCodeNeeded: false))
            try await peer.say(.invite(theirs))
            let asked = try await desk.nextInvitation()
            try await desk.node.answer(asked.id, .accept(typed: nil))
            desk.node.intendedInvitations.append(IntendedInvitation(.peer(peer.id), to: mine, for: .init(of: [])))
            try await peer.say(.members(.init(session: theirs.session, members: [])))
            var heard = try await peer.echoes()
            #expect(try await desk.node.invite(.peer(peer.id), to: mine) == peer.id)
            heard += try await peer.echoes()
            #expect(mine.peers == [peer.id] && desk.node.members.count == 1)
            #expect(!heard.contains { if case .invite = $0 { true } else { false } })
        }
    }

    @Test("a caller that waits for a peer's invitation gets the one that replaces it")
    func replacedInvitation() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.askedAbout(by: desk.node)
            let (mine, first) = (try desk.session(), try peer.invite(isCodeNeeded: false))
            try await peer.say(.invite(first))
            let asked = try await desk.nextInvitation()
            try await desk.node.answer(asked.id, .accept(typed: nil))
            async let invited = desk.node.invite(.peer(peer.id), to: mine)
            let request = try #require(desk.node.receivedInvitations[first.invitation])
            while !request.leads(to: mine) { try await othersTurn() }
            let second = try peer.invite(isCodeNeeded: false)
            try await peer.say(.invite(second))
            try await peer.hear { frame -> Void? in
                if case .inviteAnswer(let answer) = frame, answer.invitation == second.invitation { () } else { nil }
            }
            try await peer.say(.members(.init(session: second.session, members: [])))
            #expect(try await invited == peer.id)
            #expect(mine.peers == [peer.id] && desk.node.members.count == 1)
        }
    }

    @Test("an invitation that is taken back as soon as it arrives is neither answered nor asked about")
    func takenBackAtOnce() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            let invite = try peer.invite(isCodeNeeded: false)
            let cancel = ControlFrame.InviteCancel(invitation: invite.invitation, reason: .withdrawn)
            try await peer.say(.invite(invite), .inviteCancel(cancel))
            let heard = try await peer.echoes()
            #expect(!heard.contains { if case .inviteAnswer = $0 { true } else { false } })
            #expect(desk.node.receivedInvitations.isEmpty && desk.node.arrivedInvites.isEmpty)
        }
    }

    @Test("a declined peer learns that, a blocked one does not")
    func declined() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let chat = try deck.session()
        async let invited = deck.outcome(of: desk, into: chat)
        let invitation = try await desk.nextInvitation()
        try await desk.node.answer(invitation.id, .decline)
        let first = await invited
        #expect(throws: SessionError(.declined)) { try first.get() }
        async let again = deck.outcome(of: desk, into: chat)
        let second = try await desk.nextInvitation()
        try await desk.node.answer(second.id, .block)
        let blocked = await again
        #expect(throws: SessionError(.lost).afterCode) { try blocked.get() }
        var silent = await deck.outcome(of: desk, into: chat, patience: .milliseconds(100))
        // The invitation may have been sent over the link that the block cut.
        while case .failure(let error) = silent, (error as? SessionError)?.reason != .timedOut {
            silent = await deck.outcome(of: desk, into: chat, patience: .milliseconds(100))
        }
        #expect(throws: SessionError(.timedOut, missing: .codeThere)) { try silent.get() }
        await deck.stop()
        await desk.stop()
    }

    @Test("blocking ends a live session at once, and the other side sees only that the connection broke")
    func blockedWhileLinked() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        try await desk.node.block(deck.id)
        #expect(try await there.nextDeparture() == .blocked)
        let reason = try await here.next { event -> PartingReason? in
            if case .away(_, let reason) = event { reason } else { nil }
        }
        #expect(reason == .lost)
        await #expect(throws: SessionError(.blocked)) {
            try await desk.node.invite(.address(try deck.address), to: try desk.session())
        }
        await deck.stop()
        await desk.stop()
    }

    @Test("a machine that another program blocks or holds back while it is offline has its new policy when it returns")
    func judgedWhileAway() async throws {
        let distant = Reconnection.Pace(first: .seconds(600), longest: .seconds(600))
        let deck = try await TestNode.open("Deck") { $0.patience.reconnection = distant }
        let desk = try await TestNode.open("Desk")
        let (_, there) = try await deck.connect(to: desk)
        let program = try await Ledger.open(at: desk.folder.path + "/huddle")
        desk.node.link(to: deck.id)?.channel.abort()
        _ = try await there.next { if case .away = $0 { true } else { nil } }
        var judgedAgain: Set<PeerID> = []
        desk.node.whenRightsChange = { judgedAgain.insert($0) }
        try await program.setPermissions([.messages], for: deck.id)
        try await EventLoop.shared.withDeadline(.seconds(60), "permissions") {
            while await there.members[deck.id]?.permissions != [.messages] { try await othersTurn() }
        }
        #expect(judgedAgain.contains(deck.id), "who exchanges saves with it hears of it")
        try await program.setPolicy(.block, for: deck.id)
        let reason = try await EventLoop.shared.withDeadline(.seconds(60), "departure") {
            try await there.nextDeparture()
        }
        #expect(reason == .blocked)
        await deck.stop()
        await desk.stop()
    }

    @Test("a cut link returns by itself, and nothing that was sent meanwhile is lost or doubled")
    func reconnection() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        for round in 0..<5 {
            for (node, peer) in [(deck, desk), (desk, deck)] {
                try await here.send([UInt8(round), 1])
                node.node.link(to: peer.id)?.channel.abort()
                try await here.send([UInt8(round), 2])
                try await there.send([UInt8(round), 3])
                #expect(try await there.nextMessage().bytes == [UInt8(round), 1])
                #expect(try await there.nextMessage().bytes == [UInt8(round), 2])
                #expect(try await here.nextMessage().bytes == [UInt8(round), 3])
            }
        }
        await deck.stop()
        await desk.stop()
    }

    @Test("a peer whose program has restarted is invited again, and is in")
    func restarted() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, _) = try await deck.connect(to: desk)
        let port = desk.node.port
        await desk.stop()
        let again = try await TestNode.open("Desk", in: desk.folder) { $0.port = port }
        let there = try await again.nextJoined()
        try await here.send([1])
        #expect(try await there.nextMessage().bytes == [1])
        await deck.stop()
        await again.stop()
    }

    @Test("members of a mesh whom one of them has invited find each other")
    func mesh() async throws {
        var nodes: [TestNode] = []
        for name in ["Deck", "Desk", "Box", "Tablet"] { nodes.append(try await TestNode.open(name)) }
        let host = nodes[0]
        let chat = try host.session()
        var sessions = [chat]
        for other in nodes.dropFirst() {
            try await host.befriend(other)
            try await host.node.invite(.address(try other.address), to: chat)
            sessions.append(try await other.nextJoined())
        }
        for session in sessions {
            while session.connectedPeers.count < 3 { _ = await session.events.next() }
        }
        for (place, session) in sessions.enumerated() {
            try await session.send([UInt8(place)])
            for (other, receiver) in sessions.enumerated() where other != place {
                #expect(try await receiver.nextMessage().bytes == [UInt8(place)])
            }
        }
        for node in nodes { await node.stop() }
    }

    @Test("in a star every member is connected to the host only")
    func star() async throws {
        var nodes: [TestNode] = []
        for name in ["Deck", "Desk", "Box"] { nodes.append(try await TestNode.open(name)) }
        let chat = try nodes[0].session("star", .star)
        var sessions: [Session] = []
        for other in nodes.dropFirst() {
            try await nodes[0].befriend(other)
            try await nodes[0].node.invite(.address(try other.address), to: chat)
            sessions.append(try await other.nextJoined())
        }
        #expect(chat.peers.count == 2)
        for session in sessions { #expect(session.peers == [nodes[0].id]) }
        for node in nodes { await node.stop() }
    }

    @Test("a member that leaves is gone at once, with the reason")
    func leaving() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        there.leave()
        #expect(try await here.nextDeparture() == .left)
        #expect(here.peers.isEmpty)
        await #expect(throws: SessionError.notInSession) { try await here.send([1], to: [desk.id]) }
        await deck.stop()
        await desk.stop()
    }

    @Test("messages that may get lost pass if datagrams do, and the caller learns if they do not")
    func unreliable() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        // The nodes notice after a moment if datagrams pass.
        while try here.sendUnreliably([7])[desk.id] != .sent { try await othersTurn() }
        let message = try await there.nextMessage()
        #expect(message == Message(peer: deck.id, bytes: [7], isReliable: false))
        let large = [UInt8](repeating: 0, count: Session.unreliableLimit + 1)
        #expect(try here.sendUnreliably(large) == [desk.id: .tooLarge])
        await deck.stop()
        await desk.stop()
    }
}
