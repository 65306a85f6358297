import Foundation
import MultipeerConnectivity

/// Finds other players and connects two of them: the part of the program that uses MultipeerConnectivity.
///
/// `@unchecked Sendable` because it is immutable after its initializer.
final class Opponents: NSObject, @unchecked Sendable {
    /// Events for the program's loop. Sessions have their own events.
    enum Event: Sendable {
        case found(MCPeerID)
        case lost(MCPeerID)
        case asked(MCPeerID, Answer)
        case trouble(String)
    }

    /// `@unchecked Sendable` because the handler may be called on any thread.
    struct Answer: @unchecked Sendable {
        let handler: (Bool, MCSession?) -> Void
    }

    let peer: MCPeerID
    let session: MCSession
    let events: AsyncStream<Event>
    private let reports: AsyncStream<Event>.Continuation
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser

    static let serviceType = "tic-tac-toe"
    /// Time for the other user's answer.
    static let patience: TimeInterval = 60
    /// Time after which unread events are dropped.
    private static let eventLimit = 256

    init(_ peer: MCPeerID) {
        self.peer = peer
        session = MCSession(peer: peer)
        session.maximumNumberOfPeers = 2
        advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: nil, serviceType: Self.serviceType)
        browser = MCNearbyServiceBrowser(peer: peer, serviceType: Self.serviceType)
        (events, reports) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.eventLimit))
        super.init()
        advertiser.delegate = self
        browser.delegate = self
    }

    func begin() {
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }

    func invite(_ other: MCPeerID) {
        browser.invitePeer(other, to: session, withContext: nil, timeout: Self.patience)
    }

    func block(_ other: MCPeerID) async throws {
        try await advertiser.block(other)
    }

    /// Returns the words that could not be sent because the other side is not connected.
    func send(_ words: [Word]) throws -> [Word] {
        for (position, word) in words.enumerated() {
            do {
                guard !session.connectedPeers.isEmpty else { throw MCError(.notConnected) }
                try session.send(word.data, toPeers: session.connectedPeers, with: .reliable)
            } catch MCError.notConnected {
                return Array(words[position...])
            }
        }
        return []
    }
}

extension Opponents: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        reports.yield(.asked(peerID, Answer(handler: invitationHandler)))
    }

    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        reports.yield(.trouble(error.localizedDescription))
    }

    func browser(
        _ browser: MCNearbyServiceBrowser,
        foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        reports.yield(.found(peerID))
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        reports.yield(.lost(peerID))
    }

    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        reports.yield(.trouble(error.localizedDescription))
    }
}
