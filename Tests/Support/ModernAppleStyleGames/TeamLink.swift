// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import MultipeerConnectivity

/// A class in the style of Swift 6: all of it on the main actor, with `nonisolated` delegates.
@MainActor
public final class TeamLink: NSObject {
    public struct Message: Codable, Sendable, Equatable {
        public var text: String

        public init(text: String) { self.text = text }
    }

    public private(set) var peers: Set<MCPeerID> = []
    public private(set) var messages: [Message] = []
    public var onChange: (@MainActor () -> Void)?

    private let myPeerID: MCPeerID
    private let session: MCSession
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser

    public init(name: String) {
        myPeerID = MCPeerID(displayName: name)
        session = MCSession(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
        advertiser = MCNearbyServiceAdvertiser(peer: myPeerID, discoveryInfo: nil, serviceType: "team-link")
        browser = MCNearbyServiceBrowser(peer: myPeerID, serviceType: "team-link")
        super.init()
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
    }

    public func start() {
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }

    public func send(_ message: Message) throws {
        let data = try JSONEncoder().encode(message)
        try session.send(data, toPeers: Array(peers), with: .reliable)
    }

    private func take(_ message: Message) {
        messages.append(message)
        onChange?()
    }

    private func update(_ peer: MCPeerID, _ state: MCSessionState) {
        if state == .connected { peers.insert(peer) } else { peers.remove(peer) }
        onChange?()
    }
}

extension TeamLink: MCSessionDelegate {
    public nonisolated func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        Task { @MainActor in self.update(peerID, state) }
    }

    public nonisolated func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        guard let message = try? JSONDecoder().decode(Message.self, from: data) else { return }
        DispatchQueue.main.async { self.take(message) }
    }

    public nonisolated func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {}

    public nonisolated func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {}

    public nonisolated func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?) {}
}

extension TeamLink: MCNearbyServiceAdvertiserDelegate {
    public nonisolated func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void) {
        invitationHandler(true, session)
    }
}

extension TeamLink: MCNearbyServiceBrowserDelegate {
    public nonisolated func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?) {
        browser.invitePeer(peerID, to: session, withContext: nil, timeout: 15)
    }

    public nonisolated func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        Task { await MainActor.run { _ = self.peers.remove(peerID) } }
    }
}

/// An actor with a small object that is the delegate.
public actor PeerDirectory {
    private var infos: [MCPeerID: [String: String]] = [:]
    private let bridge = Bridge()

    public init() {}

    public var count: Int { infos.count }

    func add(_ peer: MCPeerID, _ info: [String: String]?) { infos[peer] = info ?? [:] }

    private final class Bridge: NSObject, MCNearbyServiceBrowserDelegate, Sendable {
        func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?) {}
        func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
    }
}

/// A class on the main actor that conforms directly, with the check at run time.
@MainActor
public final class QuickLink: NSObject, @preconcurrency MCAdvertiserAssistantDelegate {
    public var isAsking = false

    public func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant) { isAsking = true }
    public func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant) { isAsking = false }
}
