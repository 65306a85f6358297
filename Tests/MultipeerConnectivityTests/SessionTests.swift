import Foundation
import LinuxPlatform
import Session
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Semantics of a session", .timeLimit(.minutes(5)))
struct SessionTests {
    let room = TestRoom()

    private func pair() async throws -> (Player, Player) {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        return (deck, desk)
    }

    @Test("A session created with a peer only has no identity and requires encryption")
    func defaults() {
        let session = MCSession(peer: MCPeerID(displayName: "Deck"))
        #expect(session.securityIdentity == nil && session.encryptionPreference == .required)
        #expect(session.connectedPeers.isEmpty && session.maximumNumberOfPeers == nil)
    }

    @Test(
        "An invitation waits for the given time, or thirty seconds if that is not positive",
        arguments: [(0, 30), (-1, 30), (.nan, 30), (0.5, 0.5), (20, 20), (.infinity, 86_400)]
    )
    func timeouts(timeout: TimeInterval, seconds: Double) {
        #expect(MCNearbyServiceBrowser.patience(of: timeout) == .seconds(seconds))
    }

    @Test("A peer that accepts is connecting, then connected, on both sides")
    func states() async throws {
        let (deck, desk) = try await pair()
        #expect(deck.states(of: desk) == [.connecting, .connected])
        #expect(desk.states(of: deck) == [.connecting, .connected])
        #expect(deck.session.connectedPeers == [desk.peer])
        #expect(desk.session.connectedPeers.map(\.displayName) == ["Deck"])
    }

    @Test("The context arrives unchanged")
    func context() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        deck.invite(desk, context: Data("castle".utf8))
        let context = try await desk.wait { if case .invited(let invitation) = $0 { invitation.context } else { nil } }
        #expect(context == Data("castle".utf8))
    }

    @Test("A declined peer is not connected, with that reason")
    func declined() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.answer { _, invitation in invitation.handler(false, nil) }
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        deck.invite(desk)
        #expect(try await deck.notConnected(desk) == .declined)
        #expect(deck.states(of: desk) == [.connecting, .notConnected])
        #expect(desk.states(of: deck).isEmpty)
    }

    @Test(
        "An invitation without an answer ends at the inviter's timeout, and a late answer does nothing"
    )
    func neverAndLate() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.answer { _, _ in }
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        deck.invite(desk, timeout: 0.2)
        #expect(try await deck.notConnected(desk) == .timedOut)
        let invitation = try await desk.wait { if case .invited(let invitation) = $0 { invitation } else { nil } }
        invitation.handler(true, desk.session)
        desk.answer { player, invitation in invitation.handler(true, player.session) }
        deck.invite(desk)
        try await deck.connected(desk)
    }

    @Test("A second answer has no effect")
    func twice() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.answer { player, invitation in
            invitation.handler(true, player.session)
            invitation.handler(false, nil)
            invitation.handler(true, player.session)
        }
        try await deck.connect(to: desk)
        #expect(deck.states(of: desk) == [.connecting, .connected])
    }

    @Test("Reliable messages of any size arrive completely, once and in order")
    func reliable() async throws {
        let (deck, desk) = try await pair()
        let sizes = [0, 1, 1023, 70_000, (1 << 20) - 1, 1 << 20, 3 << 20, 5]
        for (place, size) in sizes.enumerated() {
            try deck.session.send(Data(repeating: UInt8(place), count: size), toPeers: [desk.peer], with: .reliable)
        }
        let received = try await desk.received(sizes.count)
        #expect(received.map(\.count) == sizes)
        #expect(received.enumerated().allSatisfy { place, data in data.allSatisfy { $0 == UInt8(place) } })
    }

    @Test("Messages of several threads arrive completely, those of each thread in order")
    func fromThreads() async throws {
        let (deck, desk) = try await pair()
        let (threads, count) = (3, 100)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for place in 0..<count {
                // Some are longer than one message of the engine, and longer than its window.
                let size = place == 50 ? 3 << 20 : 2
                let message = Data([UInt8(thread), UInt8(place)] + [UInt8](repeating: UInt8(thread), count: size - 2))
                #expect(throws: Never.self) {
                    try deck.session.send(message, toPeers: [desk.peer], with: .reliable)
                }
            }
        }
        let received = try await desk.received(threads * count)
        for thread in 0..<threads {
            let own = received.filter { $0[0] == UInt8(thread) }
            #expect(own.map { Int($0[1]) } == Array(0..<count))
            #expect(own[50].count == 3 << 20 && own[50].dropFirst(2).allSatisfy { $0 == UInt8(thread) })
        }
    }

    @Test("A message of more than 16 MiB, without receivers, or for a peer outside the session is refused")
    func refused() async throws {
        let (deck, desk) = try await pair()
        let stranger = MCPeerID(displayName: "Stranger")
        let tooMuch = Data(count: Packet.messageLimit + 1)
        #expect(throws: MCError(.invalidParameter)) {
            try deck.session.send(tooMuch, toPeers: [desk.peer], with: .reliable)
        }
        #expect(throws: MCError(.invalidParameter)) { try deck.session.send(Data(), toPeers: [], with: .reliable) }
        #expect(throws: MCError(.notConnected)) {
            try deck.session.send(Data([1]), toPeers: [desk.peer, stranger], with: .reliable)
        }
        do {
            try deck.session.send(Data([1]), toPeers: [stranger], with: .unreliable)
        } catch MCError.notConnected {
            #expect((error(of: deck, to: stranger) as NSError?)?.domain == MCErrorDomain)
        }
    }

    private func error(of player: Player, to peer: MCPeerID) -> (any Error)? {
        do {
            try player.session.send(Data([1]), toPeers: [peer], with: .reliable)
            return nil
        } catch {
            return error
        }
    }

    @Test("Unreliable messages arrive, large ones over the reliable channel")
    func unreliable() async throws {
        let (deck, desk) = try await pair()
        try deck.session.send(Data([1, 2]), toPeers: [desk.peer], with: .unreliable)
        #expect(try await desk.received() == Data([1, 2]))
        try deck.session.send(Data(count: 100_000), toPeers: [desk.peer], with: .unreliable)
        #expect(try await desk.received(2)[1].count == 100_000)
    }

    @Test("A peer that disconnects is out at once on both sides, and can return with the same session")
    func disconnecting() async throws {
        let (deck, desk) = try await pair()
        desk.session.disconnect()
        #expect(try await deck.notConnected(desk) == .left)
        try await desk.notConnected(deck)
        #expect(deck.session.connectedPeers.isEmpty)
        deck.invite(desk)
        try await deck.connected(desk)
        try await desk.connected(deck)
        try deck.session.send(Data([7]), toPeers: [desk.peer], with: .reliable)
        #expect(try await desk.received() == Data([7]))
    }

    @Test(
        "A message that does not fit is dropped if its sender reconnects, or the app has left",
        arguments: [true, false]
    )
    func cutShort(beginsAgain: Bool) async throws {
        let (deck, desk) = try await pair()
        let events = desk.session.events
        let large = Data(count: 5 << 20)
        // The loop over the events has not started, so there is no room before the last part of the second one.
        for data in [large, Data(count: 3 << 20)] {
            try deck.session.send(data, toPeers: [desk.peer], with: .reliable)
        }
        while !desk.session.core.delegateQueue.isWaitedFor { await EventLoop.shared.letOthersRun() }
        let again = MCSession(peer: deck.peer)
        let news = again.events
        if beginsAgain {
            deck.browser.invitePeer(desk.peer, to: again, withContext: nil, timeout: 30)
        } else {
            desk.session.disconnect()
            try await deck.notConnected(desk)
            deck.browser.invitePeer(desk.peer, to: again, withContext: nil, timeout: 30)
        }
        for await event in news { if case .peer(_, .connected, _) = event { break } }
        try again.send(Data([1]), toPeers: [desk.peer], with: .reliable)
        var received: [Int] = []
        for await event in events {
            if case .data(let data, _) = event { received.append(data.count) }
            if received.last == 1 { break }
        }
        #expect(received == [large.count, 1])
        withExtendedLifetime(again) {}
    }

    @Test("A released session leaves")
    func letGo() async throws {
        let deck = Player("Deck", in: room)
        do {
            let desk = Player("Desk", in: room)
            try await deck.connect(to: desk)
        }
        try await deck.all { entries -> Void? in
            let isGone = entries.contains { if case .state(_, .notConnected, _) = $0 { true } else { false } }
            return isGone ? () : nil
        }
    }

    @Test("All joinedPeers of a session are connected, whatever the invitations were")
    func mesh() async throws {
        let players = (0..<4).map { Player("Player \($0)", in: room) }
        for player in players { player.advertiser.startAdvertisingPeer() }
        try await players[0].connect(to: players[1])
        try await players[1].connect(to: players[2])
        try await players[2].connect(to: players[3])
        try await allTogether(players)
    }

    @Test("Two groups that connect become one")
    func merging() async throws {
        let players = (0..<4).map { Player("Player \($0)", in: room) }
        for player in players { player.advertiser.startAdvertisingPeer() }
        try await players[0].connect(to: players[1])
        try await players[2].connect(to: players[3])
        try await players[1].connect(to: players[2])
        try await allTogether(players)
    }

    private func allTogether(_ players: [Player]) async throws {
        for player in players {
            for other in players where other !== player { try await player.connected(other) }
            let name = Data(player.peer.displayName.utf8)
            try player.session.send(name, toPeers: player.session.connectedPeers, with: .reliable)
        }
        for player in players {
            let expected = Set(players.filter { $0 !== player }.map(\.peer.displayName))
            let received = try await player.received(players.count - 1)
            #expect(Set(received.map { String(decoding: $0, as: UTF8.self) }) == expected)
        }
    }

    @Test("Delegates are called serially, on a queue that is not the main one")
    func queue() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.whenReceived { _ in dispatchPrecondition(condition: .notOnQueue(.main)) }
        try await deck.connect(to: desk)
        for number in 0..<200 {
            try deck.session.send(Data([UInt8(number)]), toPeers: [desk.peer], with: .reliable)
        }
        #expect(try await desk.received(200) == (0..<200).map { Data([UInt8($0)]) })
    }

    @Test("A slow delegate delays its own session and no other one of the same peer")
    func queueOfItsOwn() async throws {
        let (deck, desk) = try await pair()
        let (mine, theirs) = (MCSession(peer: deck.peer), MCSession(peer: desk.peer))
        let (here, there) = (mine.events, theirs.events)
        desk.answer { _, invitation in invitation.handler(true, theirs) }
        deck.browser.invitePeer(desk.peer, to: mine, withContext: nil, timeout: 30)
        for await event in here { if case .peer(_, .connected, _) = event { break } }
        let (gate, begun) = (DispatchSemaphore(value: 0), Resumption<Void>())
        desk.whenReceived { entry in
            guard case .data = entry else { return }
            begun.resume(with: .success(()))
            gate.wait()
        }
        try deck.session.send(Data([1]), toPeers: [desk.peer], with: .reliable)
        try await begun.value()
        try mine.send(Data([2]), toPeers: [desk.peer], with: .reliable)
        for await event in there { if case .data(Data([2]), _) = event { break } }
        gate.signal()
    }

    @Test("Calls of one session's delegate never overlap, also with several peers")
    func oneAtATime() async throws {
        let (host, guests) = (Player("Host", in: room), (0..<3).map { Player("Guest \($0)", in: room) })
        let busy = Locked((now: 0, most: 0))
        host.whenReceived { entry in
            if case .invited = entry { return }
            busy.withLock { busy in
                busy.now += 1
                busy.most = max(busy.most, busy.now)
            }
            for _ in 0..<100 { sched_yield() }
            busy.withLock { $0.now -= 1 }
        }
        for guest in guests { try await guest.connect(to: host) }
        let folder = TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path(of: "file"))
        try Data(count: 100_000).write(to: url)
        for guest in guests {
            guest.session.sendResource(at: url, withName: "file", toPeer: host.peer)
            _ = try guest.session.startStream(withName: "stream", toPeer: host.peer)
            for _ in 0..<50 { try guest.session.send(Data([1]), toPeers: [host.peer], with: .reliable) }
        }
        _ = try await host.received(150)
        try await host.all { entries in
            entries.count { if case .resourceFinished = $0 { true } else { false } } == 3 ? () : nil
        }
        #expect(busy.withLock { $0.most } == 1)
    }

    @Test("A session respects its own limit; without one there is none")
    func limit() async throws {
        let players = (0..<4).map { Player("Player \($0)", in: room) }
        for player in players { player.advertiser.startAdvertisingPeer() }
        players[0].session.maximumNumberOfPeers = 2
        try await players[0].connect(to: players[1])
        players[0].browser.startBrowsingForPeers()
        try await players[0].found(players[2])
        players[0].invite(players[2])
        #expect(try await players[0].notConnected(players[2]) == .full)
        players[3].browser.startBrowsingForPeers()
        try await players[3].found(players[0])
        players[3].invite(players[0])
        #expect(try await players[3].notConnected(players[0]) == .declined)
    }

    @Test("The async API sends and receives the same")
    func async() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        let events = desk.session.events
        try await deck.connect(to: desk)
        try await deck.session.send(Data([1]))
        var heard: [String] = []
        for await event in events {
            switch event {
            case .peer(_, let state, _): heard.append("\(state)")
            case .data(let data, _): heard.append("\(data.count) byte")
            default: heard.append("something else")
            }
            if heard.count == 3 { break }
        }
        #expect(heard == ["connecting", "connected", "1 byte"])
        await #expect(throws: MCError(.notConnected)) { try await Player("Box", in: room).session.send(Data([1])) }
    }
}
