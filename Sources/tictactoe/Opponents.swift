import Foundation
import MultipeerConnectivity

/// Finds others who play, and brings two together: how the program uses MultipeerConnectivity.
///
/// `@unchecked Sendable` because nothing in it changes after its making; what it is told, it passes on.
final class Opponents: NSObject, @unchecked Sendable {
    /// What others do, for the program's loop. Sessions have their own events.
    enum Event: Sendable {
        case found(MCPeerID)
        case lost(MCPeerID)
        case asked(MCPeerID, Answer)
        case trouble(String)
    }

    /// `@unchecked Sendable` because the handler may be called from anywhere.
    struct Answer: @unchecked Sendable {
        let handler: (Bool, MCSession?) -> Void
    }

    let peer: MCPeerID
    let session: MCSession
    let events: AsyncStream<Event>
    private let told: AsyncStream<Event>.Continuation
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser

    static let serviceType = "tic-tac-toe"
    /// How long a person may take to answer.
    static let patience: TimeInterval = 60
    /// Whoever looks on for so long without reading has missed something.
    private static let eventLimit = 256

    init(_ peer: MCPeerID) {
        self.peer = peer
        session = MCSession(peer: peer)
        session.maximumNumberOfPeers = 2
        advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: nil, serviceType: Self.serviceType)
        browser = MCNearbyServiceBrowser(peer: peer, serviceType: Self.serviceType)
        (events, told) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.eventLimit))
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

    /// Answers what could not be said, because the other side is not there at the moment.
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
        told.yield(.asked(peerID, Answer(handler: invitationHandler)))
    }

    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        told.yield(.trouble(error.localizedDescription))
    }

    func browser(
        _ browser: MCNearbyServiceBrowser,
        foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        told.yield(.found(peerID))
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        told.yield(.lost(peerID))
    }

    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        told.yield(.trouble(error.localizedDescription))
    }
}
