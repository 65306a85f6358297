// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import MultipeerConnectivity.MCSession

struct RemotePlayer: Sendable, Hashable, Identifiable {
    let id: MCPeerID
    var name: String { id.displayName }
    var info: [String: String] = [:]
}

/// An actor that reads a stream of events, which a small delegate fills.
actor Lobby {
    enum Event: Sendable {
        case found(RemotePlayer), lost(MCPeerID), state(MCPeerID, MCSessionState), data(Data, MCPeerID)
        case file(URL?, any Error)
    }
    private let peer: MCPeerID
    private let session: MCSession
    private let bridge: Bridge
    private let browser: MCNearbyServiceBrowser
    private var players: [MCPeerID: RemotePlayer] = [:]
    private var waiting: [MCPeerID: CheckedContinuation<Bool, Never>] = [:]

    init(name: String) {
        let peer = MCPeerID(displayName: name)
        let session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .required)
        let browser = MCNearbyServiceBrowser(peer: peer, serviceType: "lobby-x")
        let bridge = Bridge()
        self.peer = peer; self.session = session; self.bridge = bridge; self.browser = browser
        session.delegate = bridge
        browser.delegate = bridge
    }

    func run() async {
        browser.startBrowsingForPeers()
        for await event in bridge.events {
            switch event {
            case .found(let p): players[p.id] = p
            case .lost(let id): players[id] = nil
            case .state(let id, let s): waiting.removeValue(forKey: id)?.resume(returning: s == .connected)
            case .data, .file: break
            }
        }
    }

    func invite(_ player: RemotePlayer) async -> Bool {
        browser.invitePeer(player.id, to: session, withContext: nil, timeout: 30)
        return await withCheckedContinuation { waiting[player.id] = $0 }
    }

    func send(_ data: Data) throws { try session.send(data, toPeers: session.connectedPeers, with: .reliable) }
}

private final class Bridge: NSObject, MCSessionDelegate, MCNearbyServiceBrowserDelegate {
    let events: AsyncStream<Lobby.Event>
    private let sink: AsyncStream<Lobby.Event>.Continuation
    override init() {
        (events, sink) = AsyncStream<Lobby.Event>.makeStream(bufferingPolicy: .bufferingNewest(100))
        super.init()
    }
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) { sink.yield(.state(peerID, state)) }
    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) { sink.yield(.data(data, peerID)) }
    func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {}
    func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {}
    func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?) {
        if let error { sink.yield(.file(localURL, error)) }
    }
    func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?) {
        sink.yield(.found(RemotePlayer(id: peerID, info: info ?? [:])))
    }
    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { sink.yield(.lost(peerID)) }
}

@MainActor
final class IsolatedModel: NSObject, @preconcurrency MCSessionDelegate, @preconcurrency MCNearbyServiceAdvertiserDelegate {
    var peers: [MCPeerID] = []
    lazy var session: MCSession = {
        let s = MCSession(peer: MCPeerID(displayName: "x"))
        s.delegate = self
        return s
    }()
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) { peers = session.connectedPeers }
    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {}
    func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {}
    func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {}
    func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: Error?) {}
    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void) {
        invitationHandler(peers.count < 7, session)
    }
}
