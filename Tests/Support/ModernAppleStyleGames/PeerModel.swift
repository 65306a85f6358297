// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import MultipeerConnectivity

/// A model for views in Swift 6: observable, on the main actor, with `async` calls and an observed progress.
@MainActor
@Observable
public final class PeerModel: NSObject {
    public private(set) var peers: [MCPeerID] = []
    public private(set) var log: [String] = []
    public private(set) var fraction = 0.0
    public private(set) var invitedWith: String?

    @ObservationIgnored private let me: MCPeerID
    @ObservationIgnored private lazy var session: MCSession = makeSession()
    @ObservationIgnored private var advertiser: MCNearbyServiceAdvertiser?
    @ObservationIgnored private var browser: MCNearbyServiceBrowser?
    @ObservationIgnored private var observation: NSKeyValueObservation?

    public init(name: String) {
        me = MCPeerID(displayName: name)
        super.init()
    }

    private func makeSession() -> MCSession {
        let session = MCSession(peer: me, securityIdentity: nil, encryptionPreference: .required)
        session.delegate = self
        return session
    }

    public func start() {
        advertiser = MCNearbyServiceAdvertiser(peer: me, discoveryInfo: ["v": "2"], serviceType: "peer-model")
        advertiser?.delegate = self
        advertiser?.startAdvertisingPeer()
        browser = MCNearbyServiceBrowser(peer: me, serviceType: "peer-model")
        browser?.delegate = self
        browser?.startBrowsingForPeers()
    }

    public func send<T: Encodable & Sendable>(_ value: T) async throws {
        let data = try JSONEncoder().encode(value)
        try session.send(data, toPeers: session.connectedPeers, with: .reliable)
    }

    public func send(_ url: URL, to peer: MCPeerID) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let progress = session.sendResource(at: url, withName: url.lastPathComponent, toPeer: peer) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
            observation = progress?.observe(\.fractionCompleted, options: [.new]) { [weak self] progress, change in
                let value = change.newValue ?? progress.fractionCompleted
                Task { @MainActor in self?.fraction = value }
            }
        }
    }

    public func exchange(with peer: MCPeerID) async throws {
        let data = try await session.nearbyConnectionData(forPeer: peer)
        session.connectPeer(peer, withNearbyConnectionData: data)
    }

    private func note(_ text: String) { log.append(text) }
}

extension PeerModel: MCSessionDelegate {
    public nonisolated func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        let connected = session.connectedPeers
        Task { @MainActor in
            switch state {
            case .connected: peers = connected
            case .notConnected: peers.removeAll { $0 == peerID }
            case .connecting: break
            @unknown default: break
            }
        }
    }

    public nonisolated func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        Task { await self.note(String(decoding: data, as: UTF8.self)) }
    }

    public nonisolated func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {}

    public nonisolated func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {
        Task { @MainActor in
            observation = progress.observe(\.fractionCompleted) { progress, _ in _ = progress.fractionCompleted }
        }
    }

    public nonisolated func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?) {
        guard let localURL, let text = try? String(contentsOf: localURL, encoding: .utf8) else { return }
        Task { @MainActor in note("\(resourceName): \(text)") }
    }

    public nonisolated func session(_ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID, certificateHandler: @escaping (Bool) -> Void) {
        certificateHandler(true)
    }
}

extension PeerModel: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
    public nonisolated func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void) {
        let code = context.map { String(decoding: $0, as: UTF8.self) }
        DispatchQueue.main.sync { MainActor.assumeIsolated { invitedWith = code } }
        let session = DispatchQueue.main.sync { MainActor.assumeIsolated { self.session } }
        invitationHandler(code == "42", session)
    }

    public nonisolated func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?) {
        Task { @MainActor [weak self] in
            guard let self, info?["v"] == "2", self.me.displayName < peerID.displayName else { return }
            self.browser?.invitePeer(peerID, to: session, withContext: Data("42".utf8), timeout: 30)
        }
    }

    public nonisolated func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}

    public nonisolated func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        Task { @MainActor in note(error.localizedDescription) }
    }
}
