import Foundation
import LinuxPlatform
@testable import Session
import SessionRules
import Testing
import Vocabulary

@testable import MultipeerConnectivity

/// Frequent complaints about Apple's framework, each with a test.
@Suite("Known complaints about sessions", .timeLimit(.minutes(10)))
struct ComplaintTests {
    let room = TestRoom()

    /// Number of crossing invitations; a thousand take half a minute.
    private static let crossings = getenv("HUDDLE_CROSSINGS").flatMap { Int(String(cString: $0)) } ?? 50

    @Test("Two peers that invite each other at the same moment share one session each time")
    func crossedInvitations() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        for player in [deck, desk] {
            player.advertiser.startAdvertisingPeer()
            player.browser.startBrowsingForPeers()
        }
        try await deck.found(desk)
        try await desk.found(deck)
        for round in 0..<Self.crossings {
            deck.invite(desk)
            desk.invite(deck)
            try await deck.connected(desk)
            try await desk.connected(deck)
            #expect(deck.session.connectedPeers == [desk.peer] && desk.session.connectedPeers == [deck.peer])
            if round % 10 == 0 {
                let message = Data("\(round)".utf8)
                try deck.session.send(message, toPeers: [desk.peer], with: .reliable)
                try desk.session.send(message, toPeers: [deck.peer], with: .reliable)
                #expect(try await desk.received(round / 10 + 1).last == message)
                #expect(try await deck.received(round / 10 + 1).last == message)
            }
            (round.isMultiple(of: 2) ? deck : desk).session.disconnect()
            try await deck.notConnected(desk)
            try await desk.notConnected(deck)
        }
    }

    @Test("A peer that is invited ten times at once is asked once")
    func duplicates() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        for _ in 0..<10 { deck.invite(desk) }
        try await deck.connected(desk)
        deck.invite(desk)
        #expect(desk.entries.count { if case .invited = $0 { true } else { false } } == 1)
        #expect(deck.states(of: desk) == [.connecting, .connected])
    }

    @Test("Inviting the sender of an unanswered invitation accepts it")
    func invitingTheInviter() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.answer { player, invitation in
            player.browser.invitePeer(invitation.peer, to: player.session, withContext: nil, timeout: 30)
        }
        try await deck.connect(to: desk)
        #expect(desk.states(of: deck) == [.connecting, .connected])
    }

    @Test("A peer with a broken connection is connecting with the reason, returns by itself, and loses no message")
    func comesBack() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        for round in 0..<5 {
            await cut(deck, desk)
            try deck.session.send(Data([UInt8(round)]), toPeers: [desk.peer], with: .reliable)
            #expect(try await desk.received(round + 1).last == Data([UInt8(round)]))
        }
        try await deck.connected(desk)
        #expect(deck.states(of: desk).filter { $0 == .notConnected }.isEmpty)
    }

    /// Breaks the connection between two peers, as if a cable had been unplugged briefly.
    @Engine
    private func cut(_ one: Player, _ other: Player) async {
        guard let node = try? await one.peer.local?.localNode.node() else { return }
        node.link(to: other.peer.id)?.cut(because: .lost)
    }

    @Test("A peer that is accepted again at the moment of its leaving is connected again")
    func comesAgain() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        let asked = Resumption<Void>()
        desk.judge { [deck = deck.session, desk = desk.session] _ in
            asked.resume(with: .success(()))
            deck.disconnect()
            // Before the app judges the newcomer, the other side sees the old connection end.
            while !desk.connectedPeers.isEmpty { sched_yield() }
            return true
        }
        let again = MCSession(peer: deck.peer, securityIdentity: nil, encryptionPreference: .required)
        deck.browser.invitePeer(desk.peer, to: again, withContext: nil, timeout: 30)
        try await asked.value()
        let states = try await desk.all { _ in
            let states = desk.states(of: deck)
            return states.count > 3 || states.contains(.notConnected) ? states : nil
        }
        #expect(states == [.connecting, .connected, .connecting, .connected])
        again.disconnect()
    }

    @Test("A peer that disappears without a goodbye is disconnected later, with the reason")
    func vanishes() async throws {
        let deck = Player("Deck", in: room)
        let id = try await vanished(from: deck)
        let reason: PartingReason? = try await deck.wait { entry -> PartingReason?? in
            if case .state(let peer, .connecting, let reason?) = entry, peer.id == id { .some(reason) } else { nil }
        }
        #expect(reason != nil)
        #expect(deck.session.connectedPeers.isEmpty)
    }

    @Engine
    private func vanished(from deck: Player) async throws -> PeerID {
        let desk = Player("Desk", in: room)
        try await deck.connect(to: desk)
        let node = try #require(try await desk.peer.local?.localNode.node())
        node.context.phase = .stopping
        for link in node.links { link.cut(because: .lost) }
        return desk.peer.id
    }

    @Test("During and after the transfer of a large file, messages arrive and all peers stay connected")
    func largeSend() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("large-\(UUID().uuidString)")
        try Data(count: 64 << 20).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        async let sent: Void = deck.session.sendResource(at: url, withName: "large", to: desk.peer)
        try deck.session.send(Data([1]), toPeers: [desk.peer], with: .reliable)
        #expect(try await desk.received() == Data([1]))
        try await sent
        try desk.session.send(Data([2]), toPeers: [deck.peer], with: .reliable)
        #expect(try await deck.received() == Data([2]))
        #expect(deck.states(of: desk) == [.connecting, .connected])
    }

    @Test("Two sessions between the same two peers are independent")
    func twoSessions() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        let (mine, theirs) = (MCSession(peer: deck.peer), MCSession(peer: desk.peer))
        let events = theirs.events
        desk.answer { _, invitation in invitation.handler(true, theirs) }
        deck.browser.invitePeer(desk.peer, to: mine, withContext: nil, timeout: 30)
        let mineEvents = mine.events
        if mine.connectedPeers.isEmpty {
            for await event in mineEvents { if case .peer(_, .connected, _) = event { break } }
        }
        try mine.send(Data([2]), toPeers: [desk.peer], with: .reliable)
        try deck.session.send(Data([1]), toPeers: [desk.peer], with: .reliable)
        for await event in events {
            guard case .data(let data, _) = event else { continue }
            #expect(data == Data([2]))
            break
        }
        #expect(try await desk.received() == Data([1]))
        mine.disconnect()
        for await event in events { if case .peer(_, .notConnected, _) = event { break } }
        try deck.session.send(Data([3]), toPeers: [desk.peer], with: .reliable)
        #expect(try await desk.received(2).last == Data([3]))
    }

    @Test("A slow app delays its senders, and the memory of both sides is bounded")
    func slow() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        let gate = DispatchSemaphore(value: 0)
        desk.whenReceived { if case .data = $0 { gate.wait() } }
        let megabyte = Data(count: 1 << 20)
        var sent = 0
        do {
            while sent < 1000 {
                try deck.session.send(megabyte, toPeers: [desk.peer], with: .reliable)
                sent += 1
            }
        } catch let error as MCError {
            #expect(error.code == .unavailable)
        }
        // Each message has a header as well, so one less fits if none has been sent.
        #expect(((SendQueue.limit >> 20) - 1...200).contains(sent))
        for _ in 0..<sent { gate.signal() }
        #expect(try await desk.received(sent).count == sent)
    }
}
