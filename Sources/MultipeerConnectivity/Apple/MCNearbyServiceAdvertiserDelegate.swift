public import Foundation

/// Delegate of an advertiser.
public protocol MCNearbyServiceAdvertiserDelegate: NSObjectProtocol {
    /// A peer invites this one. Call the handler once, at any time: with true and a session to accept, with false to
    /// decline. A late or second call does nothing. Without a call, the invitation is declined at the inviter's
    /// timeout.
    ///
    /// The context comes from an unknown peer. The handler may be called on any thread; an implementation need not mark
    /// it as `@Sendable`.
    @preconcurrency
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping @Sendable (Bool, MCSession?) -> Void
    )

    /// Advertising failed, so other peers can't see this one. Optional.
    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
    /// Does nothing.
    public func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {}
}
