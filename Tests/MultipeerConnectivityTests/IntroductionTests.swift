import Foundation
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Whom members tell of", .timeLimit(.minutes(5)))
struct IntroductionTests {
    let room = TestRoom()

    private func pair() async throws -> (Player, Player) {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        return (deck, desk)
    }

    /// Somebody who is nowhere.
    private func nobody(_ number: Int) throws -> PeerID {
        let digits = withUnsafeBytes(of: number.bigEndian, Array.init)
        return try #require(PeerID(bytes: digits + [UInt8](repeating: 9, count: 32 - digits.count)))
    }

    /// Has a member say that others are with it.
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
        let hello = Hello(token, core.profile, fellows.map { .init($0, "Nobody", at: place) })
        #expect(try #require(core.mates[other.peer.id]).outbox.put([Parcel.bytes(of: hello)]))
    }

    /// Waits until another has heard everything that was said to it.
    private func isHeard(by other: Player, from one: Player) async throws {
        let word = Data("\(one.peer.displayName) \(other.entries.count)".utf8)
        try one.session.send(word, toPeers: [other.peer], with: .reliable)
        try await other.wait { if case .data(word, one.peer) = $0 { () } else { nil } }
    }

    @Test("a member that tells of ever new peers, under ever new tokens, has no more of them met than there may be")
    func bounded() async throws {
        let (deck, desk) = try await pair()
        for number in 0..<2000 {
            let fellows = [try nobody(2 * number), try nobody(2 * number + 1)]
            try await tell(deck, of: fellows, under: "token \(number)", by: desk)
        }
        try await isHeard(by: deck, from: desk)
        #expect(await deck.session.core.meetings.peers.count <= 1024)
        deck.session.disconnect()
    }

    @Test(
        "whoever comes is met, however many tokens members had before, and however many they told of",
        arguments: [true, false]
    )
    func newcomers(areTokensMany: Bool) async throws {
        let (deck, desk) = try await pair()
        let own = await desk.session.core.token
        for number in 0..<1100 {
            let (fellow, token) = areTokensMany ? (0, "token \(number)") : (number, own)
            try await tell(deck, of: [try nobody(fellow)], under: token, by: desk)
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

    @Test("whom one tells of is met on its word, however many another has told of, and of the same one before")
    func crowdedOut() async throws {
        let (deck, desk) = try await pair()
        let box = Player("Box", in: room)
        try await box.connect(to: deck)
        let (both, late) = (try nobody(5_000), try nobody(5_001))
        try await tell(deck, of: [both], under: "greedy", by: desk)
        for number in 0..<1_100 { try await tell(deck, of: [try nobody(number)], under: "greedy", by: desk) }
        try await tell(deck, of: [late], under: "greedy", by: desk)
        try await isHeard(by: deck, from: desk)
        try await tell(deck, of: [both, late], under: "modest", by: box)
        try await isHeard(by: deck, from: box)
        let core = deck.session.core
        #expect(await core.meetings.tellers(of: both).contains(box.peer.id))
        #expect(await core.meetings.tellers(of: late) == [box.peer.id])
        await core.stopExpecting(both)
        #expect(await !core.meetings.contains(both))
        deck.session.disconnect()
    }

    @Test("whom one tells of under ever new tokens is met on another's word as well")
    func manyTokens() async throws {
        let (deck, desk) = try await pair()
        let box = Player("Box", in: room)
        try await box.connect(to: deck)
        let both = try nobody(1)
        for number in 0..<20 { try await tell(deck, of: [both], under: "token \(number)", by: desk) }
        try await isHeard(by: deck, from: desk)
        try await tell(deck, of: [both], under: "modest", by: box)
        try await isHeard(by: deck, from: box)
        #expect(await deck.session.core.meetings.tellers(of: both).contains(box.peer.id))
        deck.session.disconnect()
    }

    @Test("whom a member told of may come as long as that one is in, or this side tries to meet it")
    func leaving() async throws {
        let (deck, desk) = try await pair()
        let (first, second) = (try nobody(1), try nobody(2))
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

    @Test("who is told of by two under two names, and left alone by both, may come by either as long as it is met")
    func toldTwice() async throws {
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
        #expect(await deck.session.core.meetings.contains(first))
        for token in ["a", "b"] { #expect(await mayCome(first, token, to: deck)) }
        deck.session.disconnect()
        silent.socket.end()
    }

    /// Somebody whom a player dials at once, who lets it in under a token, and does not dial itself.
    private func newcomer(for player: Player, as token: String) async throws -> (bag: Player, port: UInt16) {
        var bag = Player("Bag", in: room)
        while bag.peer.id < player.peer.id { bag = Player("Bag", in: room) }
        return (bag, try await expect(player.peer, as: token, by: bag))
    }

    @Engine
    private func expect(_ peer: MCPeerID, as token: String, by bag: Player) async throws -> UInt16 {
        let core = bag.session.core
        core.expect(peer, as: token, by: core.station.id)
        core.meetings.stop(peer.id)
        return try await core.station.node().port
    }

    private func three() async throws -> (Player, Player, Player) {
        let (deck, desk) = try await pair()
        let box = Player("Box", in: room)
        try await box.connect(to: deck)
        return (deck, desk, box)
    }

    @Test("a right word brings two together, also while a wrong one is tried")
    func rightWord() async throws {
        let (deck, desk, box) = try await three()
        let (bag, port) = try await newcomer(for: deck, as: "right")
        try await tell(deck, of: [bag.peer.id], at: port, under: "wrong", by: desk)
        try await deck.isTrying(bag.peer.id)
        try await tell(deck, of: [bag.peer.id], at: port, under: "right", by: box)
        try await deck.connected(bag)
        deck.session.disconnect()
    }

    @Test("an app that doesn't want a peer is not asked again on another's word")
    func notWanted() async throws {
        let (deck, desk, box) = try await three()
        let (bag, port) = try await newcomer(for: deck, as: "right")
        deck.judge { _ in false }
        for teller in [desk, box] { try await tell(deck, of: [bag.peer.id], at: port, under: "right", by: teller) }
        try await deck.wait { if case .state(bag.peer, .notConnected, .notPermitted) = $0 { () } else { nil } }
        #expect(await !deck.session.core.meetings.contains(bag.peer.id))
        deck.session.disconnect()
    }

    /// Somebody who takes connections and says nothing, and whom everybody dials at once.
    private func silent() throws -> (id: PeerID, socket: BlockingSocket, port: UInt16) {
        let (socket, port) = try BlockingSocket.boundToLoopback(backlog: 16)
        return (try #require(PeerID(bytes: [UInt8](repeating: 0xFF, count: 32))), socket, port)
    }

    @Test("whoever is only tried to be met takes no one's place, and whoever comes too late is not let in")
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

    @Test("a false word keeps nobody from being introduced by a member that has it in")
    func falseWord() async throws {
        let (deck, desk) = try await pair()
        let (box, bag) = (Player("Box", in: room), Player("Bag", in: room))
        try await bag.connect(to: box)
        let silent = try silent()
        try await tell(deck, of: [bag.peer.id], at: silent.port, under: "wrong", by: desk)
        try await isHeard(by: deck, from: desk)
        desk.session.disconnect()
        try await deck.notConnected(desk)
        #expect(await deck.session.core.meetings.contains(bag.peer.id))
        await onEngine { deck.session.core.comingPatience = .seconds(1) }
        try await deck.connect(to: box)
        try await deck.connected(bag)
        deck.session.disconnect()
        silent.socket.end()
    }

    @Engine
    private func onEngine(_ work: @Engine () -> Void) { work() }

    @Test("that there is no way to a peer is told from its saying no")
    @Engine
    func outcomes() async throws {
        let deck = Player("Deck", in: room)
        let core = deck.session.core
        let nobody = MCPeerID(try nobody(1), displayName: "Nobody")
        try await core.station.node().learn([SocketAddress(.v4(127, 0, 0, 1), port: 1)], of: nobody.id)
        #expect(await core.tryToMeet(nobody, as: "a") == .unreachable)
        let (bag, port) = try await newcomer(for: deck, as: "right")
        try await core.station.node().learn([SocketAddress(.v4(127, 0, 0, 1), port: port)], of: bag.peer.id)
        #expect(await core.tryToMeet(bag.peer, as: "wrong") == .failed)
    }

    @Engine
    private func mayCome(_ peer: PeerID, _ token: String, to player: Player) -> Bool {
        player.session.core.expects(peer, as: token)
    }

    @Engine
    private func mayComeIfMet(_ peer: PeerID, _ token: String, to player: Player) -> Bool {
        mayCome(peer, token, to: player) == player.session.core.meetings.contains(peer)
    }
}
