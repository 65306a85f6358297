// swift-format-ignore-file
// because this is the code of the library's article, line by line, and stays so

import Foundation
import MultipeerConnectivity

class GameService: NSObject {
    private let myPeerID: MCPeerID
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser
    private let session: MCSession

    init(name: String) {
        myPeerID = MCPeerID(displayName: name)
        session = MCSession(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
        advertiser = MCNearbyServiceAdvertiser(peer: myPeerID, discoveryInfo: nil, serviceType: "my-game")
        browser = MCNearbyServiceBrowser(peer: myPeerID, serviceType: "my-game")
        super.init()
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }
}

extension GameService {
    func begin() {
        let me = MCPeerID(displayName: "Deck")
        let session = MCSession(peer: me)
        session.delegate = self
        let browser = MCNearbyServiceBrowser(peer: me, serviceType: "my-game")
        browser.delegate = self
        browser.startBrowsingForPeers()
    }

    static func peer(named name: String, keptIn file: URL) throws -> MCPeerID {
        let myPeerID: MCPeerID
        if let data = try? Data(contentsOf: file) {
            myPeerID = try MCObjects.unarchive(MCPeerID.self, from: data)
        } else {
            myPeerID = MCPeerID(displayName: name)
            try MCObjects.archive(myPeerID).write(to: file)
        }
        return myPeerID
    }

    final class Move: NSObject, NSSecureCoding {
        static var supportsSecureCoding: Bool { true }
        let square: Int

        init(square: Int) { self.square = square }
        init?(coder: NSCoder) { square = coder.decodeInteger(forKey: "square") }
        func encode(with coder: NSCoder) { coder.encode(square, forKey: "square") }
    }

    func before(_ data: Data) -> Move? {
        let move = NSKeyedUnarchiver.unarchiveObject(with: data) as? Move
        return move
    }

    func after(_ data: Data) {
        guard let move = try? MCObjects.unarchive(Move.self, from: data) else { return }
        show("\(move.square)")
    }

    func show(_ text: String) { print(text) }

    func take(_ data: Data, _ peer: MCPeerID) {}

    func follow(_ greeting: Data) async throws {
        for await event in session.events {
            switch event {
            case .peer(let peer, .connected, _): try await session.send(greeting, to: [peer])
            case .data(let data, let peer): take(data, peer)
            default: break
            }
        }
    }
}

extension GameService: MCSessionDelegate {
    func session(
        _ session: MCSession,
        peer peerID: MCPeerID,
        didChange state: MCSessionState,
        because reason: MCPartingReason?
    ) {
        if let reason { show("\(peerID): \(MCSessionEvent.sentence(reason))") }
    }

    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {}
    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) { after(data) }
    func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {}
    func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {}
    func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: Error?) {}
}

extension GameService: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void) {
        invitationHandler(true, session)
    }

    func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?) {
        browser.invitePeer(peerID, to: session, withContext: nil, timeout: 30)
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
}
