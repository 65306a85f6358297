public import Foundation

/// What an app is told by an advertiser.
public protocol MCNearbyServiceAdvertiserDelegate: NSObjectProtocol {
    /// A peer invites this one. Call the handler with true and a session to come, with false to decline, once and whenever
    /// you like: too late and twice do nothing, and never is a no when the inviter's patience ends.
    ///
    /// The context is a stranger's word. The handler may be called from anywhere; who takes it need not say so.
    @preconcurrency
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping @Sendable (Bool, MCSession?) -> Void
    )

    /// Others can't see this peer. Optional.
    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
    /// Nothing.
    public func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {}
}
