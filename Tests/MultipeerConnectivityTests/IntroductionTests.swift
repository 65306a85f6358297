import Foundation
import LinuxPlatform
import Session
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
    private func tell(_ other: Player, of fellows: [PeerID], under token: String, by one: Player) throws {
        let core = one.session.core
        let nowhere = SocketAddress(.v4(127, 0, 0, 1), port: 1)
        let hello = Hello(token, core.profile, fellows.map { .init($0, "Nobody", at: nowhere) })
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
        let first = try nobody(1)
        for (teller, token) in [(desk, "a"), (box, "b")] {
            try await tell(deck, of: [first], under: token, by: teller)
            try await isHeard(by: deck, from: teller)
        }
        for teller in [desk, box] {
            teller.session.disconnect()
            try await deck.notConnected(teller)
        }
        #expect(await mayComeIfMet(first, "a", to: deck))
        #expect(await mayComeIfMet(first, "b", to: deck))
        deck.session.disconnect()
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
