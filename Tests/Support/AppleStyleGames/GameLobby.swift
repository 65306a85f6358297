// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import Foundation
import MultipeerConnectivity

/// The delegates of a session as asynchronous sequences, in the style of recent years. Moves are `Codable`.
///
/// `@unchecked Sendable` because nothing in it changes after `init`.
public final class GameLobby: NSObject, @unchecked Sendable {
    public struct Move: Codable, Equatable, Sendable {
        public var row: Int
        public var column: Int

        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    public enum Event: Sendable {
        case connected(String)
        case disconnected(String)
        case move(Move)
    }

    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let session: MCSession
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser

    public init(playerName: String) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
        let peerID = MCPeerID(displayName: playerName)
        session = MCSession(peer: peerID, securityIdentity: nil, encryptionPreference: .optional)
        advertiser = MCNearbyServiceAdvertiser(peer: peerID, discoveryInfo: ["v": "1"], serviceType: "lobby")
        browser = MCNearbyServiceBrowser(peer: peerID, serviceType: "lobby")
        super.init()
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
    }

    public func start() {
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }

    public func send(_ move: Move) async throws {
        let data = try JSONEncoder().encode(move)
        try session.send(data, toPeers: session.connectedPeers, with: .reliable)
    }
}

extension GameLobby: MCSessionDelegate {
    public func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        switch state {
        case .connected: continuation.yield(.connected(peerID.displayName))
        case .notConnected: continuation.yield(.disconnected(peerID.displayName))
        case .connecting: break
        @unknown default: break
        }
    }

    public func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        Task { @MainActor in
            guard let move = try? JSONDecoder().decode(Move.self, from: data) else { return }
            self.continuation.yield(.move(move))
        }
    }

    public func session(_: MCSession, didReceive _: InputStream, withName _: String, fromPeer _: MCPeerID) {}

    public func session(
        _: MCSession,
        didStartReceivingResourceWithName _: String,
        fromPeer _: MCPeerID,
        with _: Progress
    ) {}

    public func session(
        _: MCSession,
        didFinishReceivingResourceWithName _: String,
        fromPeer _: MCPeerID,
        at _: URL?,
        withError _: (any Error)?
    ) {}
}

extension GameLobby: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
    public func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        guard context == Data("lobby".utf8) else { return invitationHandler(false, nil) }
        invitationHandler(true, session)
    }

    public func browser(
        _ browser: MCNearbyServiceBrowser,
        foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        guard info?["v"] == "1" else { return }
        browser.invitePeer(peerID, to: session, withContext: Data("lobby".utf8), timeout: 30)
    }

    public func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
}
