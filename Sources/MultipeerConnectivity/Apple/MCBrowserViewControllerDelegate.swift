public import Foundation

/// What an app is told by the picker, on the main actor. Each call says so by itself: a class that takes a session's calls as well is not bound to it as a whole.
public protocol MCBrowserViewControllerDelegate: NSObjectProtocol {
    /// The person is done: enough peers are in the session.
    @preconcurrency
    @MainActor
    func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController)

    /// The person wants none.
    @preconcurrency
    @MainActor
    func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController)

    /// Whether a peer is offered. Optional; without it, all are.
    @preconcurrency
    @MainActor
    func browserViewController(
        _ browserViewController: MCBrowserViewController,
        shouldPresentNearbyPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) -> Bool
}

extension MCBrowserViewControllerDelegate {
    /// Every peer is offered.
    @preconcurrency
    @MainActor
    public func browserViewController(
        _ browserViewController: MCBrowserViewController,
        shouldPresentNearbyPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) -> Bool { true }
}
