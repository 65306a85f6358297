import Foundation
import Session
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Who can be in one session", .timeLimit(.minutes(5)))
struct TrustTests {
    let room = TestRoom()

    @Test(
        "preferences meet as with Apple",
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

    @Test("each side's delegate sees the other's certificate, and none where none is shown")
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
        #expect(Set(seen.lines) == ["Desk sees \(fingerprint)", "Deck sees none"])
    }

    /// `@unchecked Sendable` because the lines are behind a lock.
    private final class Seen: @unchecked Sendable {
        private let lock = NSLock()
        private var seen: [String] = []
        var lines: [String] { lock.withLock { seen } }
        func add(_ line: String) { lock.withLock { seen.append(line) } }
    }

    @Test("a certificate that nobody knows is refused unless the app says otherwise", arguments: [true, false])
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
