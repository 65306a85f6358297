public import Foundation

/// Delegate of the picker, called on the main actor. Each call declares the actor itself: a class that is also a
/// session's delegate is not bound to it as a whole.
public protocol MCBrowserViewControllerDelegate: NSObjectProtocol {
    /// The user is done: enough peers are in the session.
    @preconcurrency
    @MainActor
    func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController)

    /// The user cancelled the picker.
    @preconcurrency
    @MainActor
    func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController)

    /// True to offer a peer. Optional; without it, all are offered.
    @preconcurrency
    @MainActor
    func browserViewController(
        _ browserViewController: MCBrowserViewController,
        shouldPresentNearbyPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) -> Bool
}

extension MCBrowserViewControllerDelegate {
    /// Offers every peer.
    @preconcurrency
    @MainActor
    public func browserViewController(
        _ browserViewController: MCBrowserViewController,
        shouldPresentNearbyPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) -> Bool { true }
}
