import Foundation
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Introductions by joinedPeers", .timeLimit(.minutes(5)))
struct IntroductionTests {
    let room = TestRoom()

    private func pair() async throws -> (Player, Player) {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        return (deck, desk)
    }

    /// A peer that does not exist.
    private func absentPeer(_ number: Int) throws -> PeerID {
        let digits = withUnsafeBytes(of: number.bigEndian, Array.init)
        return try #require(PeerID(bytes: digits + [UInt8](repeating: 9, count: 32 - digits.count)))
    }

    /// Makes a member introduce others.
    @Engine
    private func tell(
        _ other: Player,
        of fellows: [PeerID],
        at port: UInt16 = 1,
        under token: String,
        by one: Player
    ) throws {
        let core = one.session.core
        let place = SocketAddress(.v4(127, 0, 0, 1), port: port)
        let handshake = Handshake(token, core.profile, fellows.map { .init($0, "Nobody", at: place) })
        #expect(try #require(core.members[other.peer.id]).sendQueue.put([Packet.bytes(of: handshake)]))
    }

    /// Waits until another player has received all messages so far.
    private func isHeard(by other: Player, from one: Player) async throws {
        let word = Data("\(one.peer.displayName) \(other.entries.count)".utf8)
        try one.session.send(word, toPeers: [other.peer], with: .reliable)
        try await other.wait { if case .data(word, one.peer) = $0 { () } else { nil } }
    }

    @Test("A member that introduces new peers under new tokens can't exceed the limit")
    func bounded() async throws {
        let (deck, desk) = try await pair()
        for number in 0..<2000 {
            let fellows = [try absentPeer(2 * number), try absentPeer(2 * number + 1)]
            try await tell(deck, of: fellows, under: "token \(number)", by: desk)
        }
        try await isHeard(by: deck, from: desk)
        #expect(await deck.session.core.mesh.peers.count <= 1024)
        deck.session.disconnect()
    }

    @Test(
        "A newcomer is connected, however many tokens and introductions joinedPeers had before",
        arguments: [true, false]
    )
    func newcomers(areTokensMany: Bool) async throws {
        let (deck, desk) = try await pair()
        let own = await desk.session.core.token
        for number in 0..<1100 {
            let (fellow, token) = areTokensMany ? (0, "token \(number)") : (number, own)
            try await tell(deck, of: [try absentPeer(fellow)], under: token, by: desk)
        }
        try await isHeard(by: deck, from: desk)
        let newcomers = [Player("Box", in: room), Player("Bag", in: room)]
        for newcomer in newcomers {
            try await newcomer.connect(to: desk)
            try await deck.connected(newcomer)
            try await newcomer.connected(deck)
        }
        deck.session.disconnect()
    }

    @Test("A member's introduction is tried, however many another member made, also of the same peer")
    func crowdedOut() async throws {
        let (deck, desk) = try await pair()
        let box = Player("Box", in: room)
        try await box.connect(to: deck)
        let (both, late) = (try absentPeer(5_000), try absentPeer(5_001))
        try await tell(deck, of: [both], under: "greedy", by: desk)
        for number in 0..<1_100 { try await tell(deck, of: [try absentPeer(number)], under: "greedy", by: desk) }
        try await tell(deck, of: [late], under: "greedy", by: desk)
        try await isHeard(by: deck, from: desk)
        try await tell(deck, of: [both, late], under: "modest", by: box)
        try await isHeard(by: deck, from: box)
        let core = deck.session.core
        #expect(await core.mesh.tellers(of: both).contains(box.peer.id))
        #expect(await core.mesh.tellers(of: late) == [box.peer.id])
        await core.stopExpecting(both)
        #expect(await !core.mesh.contains(both))
        deck.session.disconnect()
    }

    @Test("A peer introduced under many tokens by one member is also tried with another's token")
    func manyTokens() async throws {
        let (deck, desk) = try await pair()
        let box = Player("Box", in: room)
        try await box.connect(to: deck)
        let both = try absentPeer(1)
        for number in 0..<20 { try await tell(deck, of: [both], under: "token \(number)", by: desk) }
        try await isHeard(by: deck, from: desk)
        try await tell(deck, of: [both], under: "modest", by: box)
        try await isHeard(by: deck, from: box)
        #expect(await deck.session.core.mesh.tellers(of: both).contains(box.peer.id))
        deck.session.disconnect()
    }

    @Test("An introduced peer may come while its introducer is connected, or while this side tries to reach it")
    func leaving() async throws {
        let (deck, desk) = try await pair()
        let (first, second) = (try absentPeer(1), try absentPeer(2))
        try await tell(deck, of: [first], under: "old", by: desk)
        try await tell(deck, of: [second], under: "new", by: desk)
        try await isHeard(by: deck, from: desk)
        #expect(await mayCome(second, "new", to: deck))
        #expect(await mayComeIfMet(first, "old", to: deck))
        desk.session.disconnect()
        try await deck.notConnected(desk)
        #expect(await mayComeIfMet(second, "new", to: deck))
        await deck.session.core.stopExpecting(second)
        #expect(await !mayCome(second, "new", to: deck))
        deck.session.disconnect()
    }

    @Test("A peer introduced with two tokens may come with either while it is tried, even if both introducers left")
    func reportedTwice() async throws {
        let (deck, desk) = try await pair()
        let box = Player("Box", in: room)
        try await box.connect(to: deck)
        let silent = try silent()
        let first = silent.id
        for (teller, token) in [(desk, "a"), (box, "b")] {
            try await tell(deck, of: [first], at: silent.port, under: token, by: teller)
            try await isHeard(by: deck, from: teller)
        }
        for teller in [desk, box] {
            teller.session.disconnect()
            try await deck.notConnected(teller)
        }
        #expect(await deck.session.core.mesh.contains(first))
        for token in ["a", "b"] { #expect(await mayCome(first, token, to: deck)) }
        deck.session.disconnect()
        silent.socket.end()
    }

    /// A peer that a player dials at once, that accepts it under a token, and does not dial itself.
    private func newcomer(for player: Player, as token: String) async throws -> (bag: Player, port: UInt16) {
        var bag = Player("Bag", in: room)
        while bag.peer.id < player.peer.id { bag = Player("Bag", in: room) }
        return (bag, try await expect(player.peer, as: token, by: bag))
    }

    @Engine
    private func expect(_ peer: MCPeerID, as token: String, by bag: Player) async throws -> UInt16 {
        let core = bag.session.core
        core.expect(peer, as: token, by: core.localNode.id)
        core.mesh.stop(peer.id)
        return try await core.localNode.node().port
    }

    private func three() async throws -> (Player, Player, Player) {
        let (deck, desk) = try await pair()
        let box = Player("Box", in: room)
        try await box.connect(to: deck)
        return (deck, desk, box)
    }

    @Test("A right token connects two peers, even while a wrong one is tried")
    func rightWord() async throws {
        let (deck, desk, box) = try await three()
        let (bag, port) = try await newcomer(for: deck, as: "right")
        try await tell(deck, of: [bag.peer.id], at: port, under: "wrong", by: desk)
        try await deck.isTrying(bag.peer.id)
        try await tell(deck, of: [bag.peer.id], at: port, under: "right", by: box)
        try await deck.connected(bag)
        deck.session.disconnect()
    }

    @Test("An app that refused a peer is not asked again after another introduction")
    func notWanted() async throws {
        let (deck, desk, box) = try await three()
        let (bag, port) = try await newcomer(for: deck, as: "right")
        deck.judge { _ in false }
        for teller in [desk, box] { try await tell(deck, of: [bag.peer.id], at: port, under: "right", by: teller) }
        try await deck.wait { if case .state(bag.peer, .notConnected, .notPermitted) = $0 { () } else { nil } }
        #expect(await !deck.session.core.mesh.contains(bag.peer.id))
        deck.session.disconnect()
    }

    /// A peer that accepts connections and never answers, and that all others dial at once.
    private func silent() throws -> (id: PeerID, socket: BlockingSocket, port: UInt16) {
        let (socket, port) = try BlockingSocket.boundToLoopback(backlog: 16)
        return (try #require(PeerID(bytes: [UInt8](repeating: 0xFF, count: 32))), socket, port)
    }

    @Test("A peer that is only being tried takes no place, and a late one is refused")
    func places() async throws {
        let (deck, desk) = try await pair()
        deck.session.maximumNumberOfPeers = 3
        let silent = try silent()
        try await tell(deck, of: [silent.id], at: silent.port, under: "a", by: desk)
        try await deck.isTrying(silent.id)
        let box = Player("Box", in: room)
        try await box.connect(to: deck)
        #expect(await deck.session.core.isFull)
        let (bag, port) = try await newcomer(for: deck, as: "right")
        try await tell(deck, of: [bag.peer.id], at: port, under: "right", by: desk)
        try await isHeard(by: deck, from: desk)
        #expect(deck.session.connectedPeers.count == 2)
        deck.session.disconnect()
        silent.socket.end()
    }

    @Test("A false claim does not prevent the introduction by another member")
    func falseWord() async throws {
        let (deck, desk) = try await pair()
        let (box, bag) = (Player("Box", in: room), Player("Bag", in: room))
        try await bag.connect(to: box)
        let silent = try silent()
        try await tell(deck, of: [bag.peer.id], at: silent.port, under: "wrong", by: desk)
        try await isHeard(by: deck, from: desk)
        desk.session.disconnect()
        try await deck.notConnected(desk)
        #expect(await deck.session.core.mesh.contains(bag.peer.id))
        await onEngine { deck.session.core.comingPatience = .seconds(1) }
        try await deck.connect(to: box)
        try await deck.connected(bag)
        deck.session.disconnect()
        silent.socket.end()
    }

    @Engine
    private func onEngine(_ work: @Engine () -> Void) { work() }

    @Test("An unreachable peer is distinguished from one that declines")
    @Engine
    func outcomes() async throws {
        let deck = Player("Deck", in: room)
        let core = deck.session.core
        let absentPeer = MCPeerID(try absentPeer(1), displayName: "Nobody")
        try await core.localNode.node().learn([SocketAddress(.v4(127, 0, 0, 1), port: 1)], of: absentPeer.id)
        #expect(await core.tryToMeet(absentPeer, as: "a") == .unreachable)
        let (bag, port) = try await newcomer(for: deck, as: "right")
        try await core.localNode.node().learn([SocketAddress(.v4(127, 0, 0, 1), port: port)], of: bag.peer.id)
        #expect(await core.tryToMeet(bag.peer, as: "wrong") == .failed)
    }

    @Engine
    private func mayCome(_ peer: PeerID, _ token: String, to player: Player) -> Bool {
        player.session.core.expects(peer, as: token)
    }

    @Engine
    private func mayComeIfMet(_ peer: PeerID, _ token: String, to player: Player) -> Bool {
        mayCome(peer, token, to: player) == player.session.core.mesh.contains(peer)
    }
}
