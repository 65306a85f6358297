public import Foundation
public import Vocabulary

/// What an app is told of a session. All calls of one session come one after the other, on a queue of its own.
public protocol MCSessionDelegate: NSObjectProtocol {
    /// A peer came, is about to, or has gone.
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)

    /// A message came, whole.
    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)

    /// A peer opened a stream to this one. Set its delegate, schedule and open it.
    func session(
        _ session: MCSession,
        didReceive stream: InputStream,
        withName streamName: String,
        fromPeer peerID: MCPeerID
    )

    /// A file is on its way here. Cancelling the progress stops it.
    func session(
        _ session: MCSession,
        didStartReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        with progress: Progress
    )

    /// A file has come, or will not. It has to be moved or read before this returns; then it is removed.
    func session(
        _ session: MCSession,
        didFinishReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        at localURL: URL?,
        withError error: (any Error)?
    )

    /// A peer shows its certificate. Optional; without it, certificates are taken as ``MCSession/trustedCertificates`` says.
    @preconcurrency
    func session(
        _ session: MCSession,
        didReceiveCertificate certificate: [Any]?,
        fromPeer peerID: MCPeerID,
        certificateHandler: @escaping @Sendable (Bool) -> Void
    )

    /// The same as `session(_:peer:didChange:)`, with why. Optional, and not in Apple's; both are called.
    func session(
        _ session: MCSession,
        peer peerID: MCPeerID,
        didChange state: MCSessionState,
        because reason: PartingReason?
    )
}

extension MCSessionDelegate {
    /// A peer without a certificate is taken; one with a certificate only if that is among the trusted ones.
    public func session(
        _ session: MCSession,
        didReceiveCertificate certificate: [Any]?,
        fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void
    ) {
        certificateHandler(session.trusts(certificate))
    }

    /// Most apps don't ask why.
    public func session(
        _ session: MCSession,
        peer peerID: MCPeerID,
        didChange state: MCSessionState,
        because reason: PartingReason?
    ) {}
}
