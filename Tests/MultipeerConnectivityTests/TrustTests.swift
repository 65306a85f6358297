import Discovery
import Foundation
import LinuxPlatform
import Session
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Trust and encryption", .timeLimit(.minutes(5)))
struct TrustTests {
    let room = TestRoom()

    @Test(
        "Encryption preferences combine as with Apple",
        arguments: [
            (MCEncryptionPreference.required, MCEncryptionPreference.required, true), (.required, .optional, true),
            (.required, .none, false), (.optional, .none, true), (.optional, .optional, true), (.none, .none, true),
        ]
    )
    func preferences(one: MCEncryptionPreference, other: MCEncryptionPreference, together: Bool) async throws {
        let deck = Player("Deck", in: room, encryption: one)
        let desk = Player("Desk", in: room, encryption: other)
        if together {
            try await deck.connect(to: desk)
        } else {
            desk.advertiser.startAdvertisingPeer()
            deck.browser.startBrowsingForPeers()
            try await deck.found(desk)
            deck.invite(desk)
            #expect(try await deck.notConnected(desk) == .declined)
        }
    }

    @Test("A session without encryption is encrypted anyway: no listener can read its messages")
    func unreadable() async throws {
        let (deck, desk) = (
            Player("Deck", in: room, encryption: .none), Player("Desk", in: TestRoom(), encryption: .none)
        )
        desk.advertiser.startAdvertisingPeer()
        let port = try #require(try await desk.peer.local?.localNode.node()).port
        let tap = try Wiretap(before: port)
        let service = MultipeerConnectivity.Seen(
            name: "Desk",
            txt: try PeerRecord.record(desk.peer.id, "Desk", [:]),
            addresses: [SocketAddress(.v4(127, 0, 0, 1), port: tap.port)]
        )
        deck.browser.startBrowsingForPeers()
        // A peer that the browser finds shows that it browses.
        let other = Player("Box", in: room)
        other.advertiser.startAdvertisingPeer()
        try await deck.found(other)
        await room.show(.there(service), of: try #require(ServiceKind.type("test-game")))
        try await deck.found(desk)
        deck.invite(desk)
        try await deck.connected(desk)
        let secret = Data("the princess is in another castle".utf8)
        try deck.session.send(secret, toPeers: [desk.peer], with: .reliable)
        #expect(try await desk.received() == secret)
        try desk.session.send(secret, toPeers: [deck.peer], with: .reliable)
        #expect(try await deck.received() == secret)
        let passed = tap.passed
        #expect(passed.count > 1000, "the traffic passed through the tap")
        #expect(passed.range(of: secret) == nil && passed.range(of: Data("princess".utf8)) == nil)
    }

    @Test("Each delegate is asked once about the other's certificate, or about none if none is shown")
    func certificates() async throws {
        let (deck, desk) = (Player("Deck", in: room, identity: true), Player("Desk", in: room))
        let seen = Seen()
        desk.judge { certificate in
            seen.add("Desk sees \(certificate?.fingerprint ?? "none")")
            return true
        }
        deck.judge { certificate in
            seen.add("Deck sees \(certificate?.fingerprint ?? "none")")
            return true
        }
        try await deck.connect(to: desk)
        let fingerprint = MCCertificate(of: deck.peer).fingerprint
        #expect(seen.lines.sorted() == ["Deck sees none", "Desk sees \(fingerprint)"])
    }

    @Test("A peer that leaves before the app judges its certificate is gone, and can be invited")
    func undecided() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.isUndecided(true)
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        deck.invite(desk, timeout: 0.2)
        #expect(try await deck.notConnected(desk) == .timedOut)
        try await desk.notConnected(deck)
        desk.isUndecided(false)
        try await desk.connect(to: deck)
        #expect(desk.states(of: deck) == [.connecting, .notConnected, .connecting, .connected])
    }

    @Test("An invited peer that leaves before its certificate is judged is gone, and can be invited")
    func undecidedInviter() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        deck.isUndecided(true)
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        deck.invite(desk)
        try await deck.wait { if case .shown = $0 { () } else { nil } }
        desk.session.disconnect()
        #expect(try await deck.notConnected(desk) == .left)
        deck.isUndecided(false)
        deck.invite(desk)
        try await deck.connected(desk)
    }

    /// `@unchecked Sendable` because the lines are behind a lock.
    private final class Seen: @unchecked Sendable {
        private let lock = NSLock()
        private var seen: [String] = []
        var lines: [String] { lock.withLock { seen } }
        func add(_ line: String) { lock.withLock { seen.append(line) } }
    }

    @Test("An unknown certificate is refused unless the app accepts it", arguments: [true, false])
    func refused(isInviter: Bool) async throws {
        let (deck, desk) = (
            Player("Deck", in: room, identity: isInviter), Player("Desk", in: room, identity: !isInviter)
        )
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        deck.invite(desk)
        try await deck.notConnected(desk)
        try await desk.notConnected(deck)
        for (one, other) in [(deck, desk), (desk, deck)] {
            one.session.trustedCertificates = [MCCertificate(of: other.peer)]
        }
        deck.invite(desk)
        try await deck.connected(desk)
        try await desk.connected(deck)
    }
}
