import MultipeerConnectivity

/// A delegate that leaves certificates to the session, as in most apps. It has only the required methods.
///
/// `@unchecked Sendable` because nothing in it changes.
final class UnjudgingDelegate: NSObject, MCSessionDelegate, @unchecked Sendable {
    private unowned let player: Player

    init(of player: Player) {
        self.player = player
    }

    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        player.session(session, peer: peerID, didChange: state)
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        player.session(session, didReceive: data, fromPeer: peerID)
    }

    func session(
        _ session: MCSession,
        didReceive stream: InputStream,
        withName streamName: String,
        fromPeer peerID: MCPeerID
    ) {
        player.session(session, didReceive: stream, withName: streamName, fromPeer: peerID)
    }

    func session(
        _ session: MCSession,
        didStartReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        with progress: Progress
    ) {
        player.session(session, didStartReceivingResourceWithName: resourceName, fromPeer: peerID, with: progress)
    }

    func session(
        _ session: MCSession,
        didFinishReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        at localURL: URL?,
        withError error: (any Error)?
    ) {
        player.session(
            session,
            didFinishReceivingResourceWithName: resourceName,
            fromPeer: peerID,
            at: localURL,
            withError: error
        )
    }
}
