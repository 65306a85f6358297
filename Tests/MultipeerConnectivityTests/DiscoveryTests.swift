import Discovery
import Foundation
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Discovery of peers", .timeLimit(.minutes(5)))
struct DiscoveryTests {
    let room = TestRoom()

    @Test("An advertised peer is found with its discovery info, and lost when it stops")
    func foundAndLost() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room, info: ["level": "3", "run": "yes"]))
        deck.browser.startBrowsingForPeers()
        desk.advertiser.startAdvertisingPeer()
        let found = try await deck.wait { if case .found(let peer, let info) = $0 { (peer, info) } else { nil } }
        #expect(found.0 == desk.peer && found.0.displayName == "Desk")
        #expect(found.1 == ["level": "3", "run": "yes"])
        desk.advertiser.stopAdvertisingPeer()
        let lost = try await deck.wait { if case .lost(let peer) = $0 { peer } else { nil } }
        #expect(lost == desk.peer)
    }

    @Test("Two peers with one name are two, and a peer with two services is one")
    func sameNames() async throws {
        let (deck, one, other) = (Player("Deck", in: room), Player("Desk", in: room), Player("Desk", in: room))
        one.advertiser.startAdvertisingPeer()
        other.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(one)
        try await deck.found(other)
        let type = try #require(ServiceKind.type("test-game"))
        let txt = try PeerRecord.record(one.peer.id, "Desk", [:])
        await room.show(.there(Seen(name: "Desk #9", txt: txt, addresses: [])), of: type)
        await room.show(.gone("Desk #9"), of: type)
        one.advertiser.stopAdvertisingPeer()
        _ = try await deck.wait { if case .lost(let peer) = $0, peer == one.peer { () } else { nil } }
        let found = deck.entries.count { if case .found = $0 { true } else { false } }
        let lost = deck.entries.count { if case .lost = $0 { true } else { false } }
        #expect(found == 2 && lost == 1)
    }

    @Test("A host that claims to be a peer at another address does not block the real one")
    func claimed() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        let type = try #require(ServiceKind.type("test-game"))
        let txt = try PeerRecord.record(desk.peer.id, "Desk", [:])
        let nowhere = SocketAddress(.v4(127, 0, 0, 1), port: 1)
        await room.show(.there(Seen(name: "A liar", txt: txt, addresses: [nowhere])), of: type)
        deck.invite(desk)
        #expect(try await deck.outcome(of: desk) == .connected)
    }

    @Test("A peer does not find itself, nor services of other programs")
    func notOneself() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        deck.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        let type = try #require(ServiceKind.type("test-game"))
        await room.show(.there(Seen(name: "Printer", txt: TXTRecord(), addresses: [])), of: type)
        desk.advertiser.startAdvertisingPeer()
        try await deck.found(desk)
        #expect(deck.entries.count { if case .found = $0 { true } else { false } } == 1)
    }

    @Test("The app learns when no peer can be seen")
    func blind() async throws {
        let deck = Player("Deck", in: room)
        deck.browser.startBrowsingForPeers()
        let type = try #require(ServiceKind.type("test-game"))
        let other = Player("Desk", in: room)
        other.advertiser.startAdvertisingPeer()
        try await deck.found(other)
        await room.show(.blind("no bus"), of: type)
        try await deck.wait { if case .troubled = $0 { () } else { nil } }
    }

    @Test("An app whose advertising or browsing failed can start again after the report")
    func beginningAgain() async throws {
        let folder = TemporaryFolder()
        let (deck, desk) = try PeerFolder.$keptRoot.withValue(folder.path) {
            let players = (Player("Deck", in: room), Player("Desk", in: room))
            for player in [players.0, players.1] {
                // A file is in the place of its folder.
                let path = folder.path(of: player.peer.id.description)
                try Data().write(to: URL(fileURLWithPath: path))
                player.whenReceived { [weak player] entry in
                    guard case .troubled = entry, let player else { return }
                    try? FileManager.default.removeItem(atPath: path)
                    player === players.0
                        ? player.browser.startBrowsingForPeers() : player.advertiser.startAdvertisingPeer()
                }
            }
            return players
        }
        deck.browser.startBrowsingForPeers()
        desk.advertiser.startAdvertisingPeer()
        try await deck.found(desk)
        for player in [deck, desk] {
            #expect(player.entries.count { if case .troubled = $0 { true } else { false } } == 1)
        }
    }

    @Test("A blocked peer gets no answer")
    func blocked() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        try await desk.advertiser.block(deck.peer)
        #expect(try await desk.notConnected(deck) == .blocked)
        try await deck.all { _ in deck.session.connectedPeers.isEmpty ? () : nil }
        let asked = desk.entries.count { if case .invited = $0 { true } else { false } }
        #expect(asked == 1)
    }

    @Test("Two peers that exchange connection data connect without discovery")
    func connectionData() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        let ofDeck = try await deck.session.nearbyConnectionData(forPeer: desk.peer)
        let ofDesk = try await desk.session.nearbyConnectionData(forPeer: deck.peer)
        deck.session.connectPeer(desk.peer, withNearbyConnectionData: ofDesk)
        desk.session.connectPeer(deck.peer, withNearbyConnectionData: ofDeck)
        try await deck.connected(desk)
        try await desk.connected(deck)
        #expect(!deck.entries.contains { if case .invited = $0 { true } else { false } })
    }

    @Test("Connection data of another peer connects to none, and a cancelled connection does not start")
    func wrongConnectionData() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        let box = MCPeerID(displayName: "Box")
        let data = try await desk.session.nearbyConnectionData(forPeer: deck.peer)
        deck.session.connectPeer(box, withNearbyConnectionData: data)
        try await deck.wait { if case .state(box, .notConnected, _) = $0 { () } else { nil } }
        deck.session.connectPeer(desk.peer, withNearbyConnectionData: data)
        try await deck.wait { if case .state(_, .connecting, _) = $0 { () } else { nil } }
        deck.session.cancelConnectPeer(desk.peer)
        #expect(try await deck.notConnected(desk) == .withdrawn)
    }

    @Test("After a cancelled connection, peers with the data can't connect until it is requested again")
    func droppedConnectionData() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        let old = try await deck.session.nearbyConnectionData(forPeer: desk.peer)
        let ofDesk = try await desk.session.nearbyConnectionData(forPeer: deck.peer)
        deck.session.cancelConnectPeer(desk.peer)
        desk.session.connectPeer(deck.peer, withNearbyConnectionData: old)
        #expect(try await desk.outcome(of: deck) == .notConnected)
        #expect(deck.states(of: desk).isEmpty)
        let new = try await deck.session.nearbyConnectionData(forPeer: desk.peer)
        deck.session.connectPeer(desk.peer, withNearbyConnectionData: ofDesk)
        desk.session.connectPeer(deck.peer, withNearbyConnectionData: new)
        try await deck.connected(desk)
        try await desk.connected(deck)
    }
}
