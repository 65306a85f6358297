// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import MultipeerConnectivity

/// One class on no actor that is the delegate of all objects, also of the picker.
class OneForAll: NSObject, MCSessionDelegate, MCNearbyServiceBrowserDelegate, MCNearbyServiceAdvertiserDelegate, MCBrowserViewControllerDelegate, MCAdvertiserAssistantDelegate {
    private var questions = [() -> Void]()
    var session: MCSession?

    func session(_ session: MCSession, peer: MCPeerID, didChange state: MCSessionState) { if case .connected = state { self.session = session } }
    func session(_ session: MCSession, didReceive data: Data, fromPeer: MCPeerID) {}
    func session(_ session: MCSession, didReceive stream: InputStream, withName: String, fromPeer: MCPeerID) {}
    func session(_ session: MCSession, didStartReceivingResourceWithName: String, fromPeer: MCPeerID, with: Progress) {}
    func session(_ session: MCSession, didFinishReceivingResourceWithName: String, fromPeer: MCPeerID, at: URL?, withError: Error?) {}

    func browser(_: MCNearbyServiceBrowser, foundPeer: MCPeerID, withDiscoveryInfo _: [String: String]?) {}
    func browser(_: MCNearbyServiceBrowser, lostPeer _: MCPeerID) {}

    func advertiser(_: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peer: MCPeerID, withContext: Data?, invitationHandler: @escaping ((Bool, MCSession?) -> Void)) {
        questions.append { [weak self] in invitationHandler(true, self?.session) }
    }

    func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController) {}
    func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController) {}
}

/// Holds an invitation's handler until the user has answered, and makes it `Sendable` for the main actor.
@MainActor
final class Doorman: NSObject, MCNearbyServiceAdvertiserDelegate {
    private var waiting: [(peer: MCPeerID, answer: @Sendable (Bool, MCSession?) -> Void)] = []

    nonisolated func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?, invitationHandler: @escaping @Sendable (Bool, MCSession?) -> Void) {
        Task { @MainActor in waiting.append((peerID, invitationHandler)) }
    }
}
