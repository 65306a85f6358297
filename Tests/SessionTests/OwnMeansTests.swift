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

/// A program that stores its key elsewhere, and finds peers by its own means.
@Suite("A node with means of its own", .timeLimit(.minutes(4)))
@Engine
struct OwnMeansTests {
    private func configuration(_ folder: TemporaryFolder) throws -> NodeConfiguration {
        var configuration = NodeConfiguration(folder: folder.path(of: "huddle"), name: try InstanceName("Deck"))
        configuration.address = .v4(127, 0, 0, 1)
        (configuration.advertises, configuration.browses) = (false, false)
        return configuration
    }

    @Test("a node that is opened with an identity from elsewhere has that one, and stores no key, but its peers")
    func identity() async throws {
        let (folder, identity, friend) = (TemporaryFolder(), Identity.ephemeral(), Identity.ephemeral().peerID)
        for round in 1...2 {
            let node = try await Node.open(try configuration(folder), as: identity)
            #expect(node.id == identity.peerID)
            if round == 1 { try await node.trust(friend, named: try InstanceName("Desk")) }
            #expect(try await node.ledger.peer(friend)?.isPinned == true)
        }
        #expect(!namesIn(folder).contains("identity.pem"))
        // Another program may use the folder, with another identity.
        let other = try await Node.open(try configuration(folder))
        #expect(other.id != identity.peerID)
        #expect(namesIn(folder).contains("identity.pem"))
    }

    @Test("a node that keeps its port listens there again, and elsewhere only if it is taken")
    func port() async throws {
        let folder = TemporaryFolder()
        var configuration = try configuration(folder)
        func port(_ wanted: UInt16) async throws -> UInt16 {
            (configuration.port, configuration.keepsPort) = (wanted, true)
            return try await Node.open(configuration).port
        }
        var taken: (socket: BlockingSocket, port: UInt16)? = try BlockingSocket.boundToLoopback(backlog: 1)
        let takenPort = try #require(taken?.port)
        // This port is free again at once.
        let usual = try BlockingSocket.boundToLoopback(backlog: nil).port
        #expect(try await port(usual) == usual)
        // Another wanted port changes nothing.
        #expect(try await port(takenPort) == usual)
        let other = TemporaryFolder()
        configuration.folder = other.path(of: "huddle")
        let evading = try await port(takenPort)
        #expect(evading != takenPort && taken != nil)
        taken = nil
        #expect(try await port(takenPort) == evading)
        configuration.keepsPort = false
        configuration.port = usual
        #expect(try await Node.open(configuration).port == usual)
    }

    private func namesIn(_ folder: TemporaryFolder) -> [String] {
        (try? Folder(at: folder.path(of: "huddle")).entries(limit: 100).compactMap(\.name?.text)) ?? []
    }

    @Test("a peer without a known address is reached once the program has learnt one")
    func learn() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        try await deck.befriend(desk)
        let session = try deck.session()
        await #expect(throws: SessionError.noAddress) { try await deck.node.invite(.peer(desk.id), to: session) }
        deck.node.learn([SocketAddress(.v4(127, 0, 0, 1), port: desk.node.port)], of: desk.id)
        #expect(try await deck.node.invite(.peer(desk.id), to: session) == desk.id)
        await deck.stop()
        await desk.stop()
    }

    @Test("a machine that answers at a peer's address with another key is not taken for the peer")
    func learnWrong() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let friend = Identity.ephemeral().peerID
        try await deck.node.trust(friend)
        deck.node.learn([SocketAddress(.v4(127, 0, 0, 1), port: desk.node.port)], of: friend)
        let session = try deck.session()
        await #expect(throws: SessionError(.keyChanged)) { try await deck.node.invite(.peer(friend), to: session) }
        #expect(deck.node.links.isEmpty)
        await deck.stop()
        await desk.stop()
    }

    @Test("addresses that members send replace none that the program has learnt")
    func crowdedOut() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.greeted(by: desk.node)
            let link = try #require(desk.node.link(to: peer.id))
            let (early, late) = (Identity.ephemeral().peerID, Identity.ephemeral().peerID)
            let place = SocketAddress(.v4(127, 0, 0, 1), port: 4242)
            let other = SocketAddress(.v4(127, 0, 0, 2), port: 99)
            desk.node.learn([place], of: early)
            for number in 0..<1_100 {
                let lied = number == 0 ? early : try #require(PeerID(bytes: RandomBytes.make(32)))
                let address = MemberAddress.v4(0x7F00_0002)
                let member = ControlFrame.Member(
                    peer: lied,
                    name: try InstanceName("Fellow"),
                    port: other.port,
                    addresses: [address]
                )
                desk.node.finder.add(member, seenFrom: link)
            }
            desk.node.learn([place], of: late)
            #expect(await desk.node.finder.addresses(of: early).learnt == [place])
            #expect(await desk.node.finder.addresses(of: early).relayed == [other])
            #expect(await desk.node.finder.addresses(of: late).learnt == [place])
        }
    }

    @Test("another member's addresses still count, however many addresses one member sends")
    func reportedByTwo() async throws {
        try await TestNode.with { desk in
            let (liar, honest) = (
                try await ScriptedPeer.greeted(by: desk.node), try await ScriptedPeer.greeted(by: desk.node)
            )
            let links = (try #require(desk.node.link(to: liar.id)), try #require(desk.node.link(to: honest.id)))
            func fellow(_ id: PeerID, port: UInt16) throws -> ControlFrame.Member {
                .init(peer: id, name: try InstanceName("Fellow"), port: port, addresses: [.v4(0x7F00_0001)])
            }
            let (both, late) = (Identity.ephemeral().peerID, Identity.ephemeral().peerID)
            desk.node.finder.add(try fellow(both, port: 1), seenFrom: links.1)
            desk.node.finder.add(try fellow(both, port: 2), seenFrom: links.0)
            for _ in 0..<1_100 {
                let made = try #require(PeerID(bytes: RandomBytes.make(32)))
                desk.node.finder.add(try fellow(made, port: 2), seenFrom: links.0)
            }
            desk.node.finder.add(try fellow(late, port: 3), seenFrom: links.1)
            #expect(Set(await desk.node.finder.addresses(of: both).relayed.map(\.port)) == [1, 2])
            #expect(await desk.node.finder.addresses(of: late).relayed.map(\.port) == [3])
        }
    }

    @Test("a member's addresses are kept up to a number, whether of many peers or of few")
    func reportedTooMuch() async throws {
        try await TestNode.with { desk in
            let finder = desk.node.finder
            let teller = Identity.ephemeral().peerID
            let peers = try (0..<1_100).map { _ in try #require(PeerID(bytes: RandomBytes.make(32))) }
            func addresses(_ count: UInt8) -> [SocketAddress] {
                (0..<count).map { SocketAddress(.v4(127, 0, 0, $0), port: 1) }
            }
            func relayed(of peer: PeerID) async -> Int { await finder.addresses(of: peer).relayed.count }
            for peer in peers { finder.add(addresses(100), of: peer, from: teller) }
            var kept = 0
            for peer in peers { kept += await relayed(of: peer) }
            #expect(kept == 1_024)
            // A peer that moves can still be named.
            finder.add(addresses(1), of: peers[0], from: teller)
            #expect(await relayed(of: peers[0]) == 1)
            finder.add(addresses(100), of: peers[1_000], from: teller)
            #expect(await relayed(of: peers[1_000]) == 15)
            finder.add([], of: peers[0], from: teller)
            #expect(await relayed(of: peers[0]) == 0)
        }
    }

    @Test("the address of a peer is where it listens, for as long as there is a link")
    func address() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk") { $0.port = nil })
        #expect(desk.node.address(of: deck.id) == nil)
        let (here, _) = try await desk.connect(to: deck)
        #expect(desk.node.address(of: deck.id) == SocketAddress(.v4(127, 0, 0, 1), port: deck.node.port))
        // A machine that does not listen has no address, no matter from which address it connected.
        #expect(deck.node.link(to: desk.id) != nil && deck.node.address(of: desk.id) == nil)
        await deck.stop()
        _ = try await here.next { if case .away = $0 { true } else { nil } }
        #expect(desk.node.address(of: deck.id) == nil)
        await desk.stop()
    }
}
