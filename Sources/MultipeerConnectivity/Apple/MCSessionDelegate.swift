public import Foundation
public import Vocabulary

/// Delegate of a session. All calls of a session are serial, on a queue of its own.
public protocol MCSessionDelegate: NSObjectProtocol {
    /// A peer joined, is connecting, or has left.
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)

    /// A complete message arrived.
    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)

    /// A peer opened a stream to this one. Set its delegate, schedule and open it.
    func session(
        _ session: MCSession,
        didReceive stream: InputStream,
        withName streamName: String,
        fromPeer peerID: MCPeerID
    )

    /// A file is arriving. Cancel the progress to stop it.
    func session(
        _ session: MCSession,
        didStartReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        with progress: Progress
    )

    /// A file has arrived or failed. Move or read it before this method returns; then it is removed.
    func session(
        _ session: MCSession,
        didFinishReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        at localURL: URL?,
        withError error: (any Error)?
    )

    /// A peer shows its certificate. Optional; without it, ``MCSession/trustedCertificates`` decides.
    @preconcurrency
    func session(
        _ session: MCSession,
        didReceiveCertificate certificate: [Any]?,
        fromPeer peerID: MCPeerID,
        certificateHandler: @escaping @Sendable (Bool) -> Void
    )

    /// The same as `session(_:peer:didChange:)`, with the reason. Optional, and not in Apple's API; both are called.
    func session(
        _ session: MCSession,
        peer peerID: MCPeerID,
        didChange state: MCSessionState,
        because reason: PartingReason?
    )
}

extension MCSessionDelegate {
    /// Accepts a peer without a certificate, or with one of the trusted certificates.
    public func session(
        _ session: MCSession,
        didReceiveCertificate certificate: [Any]?,
        fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void
    ) {
        certificateHandler(session.trusts(certificate))
    }

    /// Does nothing, as most apps don't need the reason.
    public func session(
        _ session: MCSession,
        peer peerID: MCPeerID,
        didChange state: MCSessionState,
        because reason: PartingReason?
    ) {}
}
