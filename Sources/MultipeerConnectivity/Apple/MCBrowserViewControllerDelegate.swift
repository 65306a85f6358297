public import Foundation

/// What an app is told by the picker.
@MainActor
public protocol MCBrowserViewControllerDelegate: NSObjectProtocol {
    /// The person is done: enough peers are in the session.
    func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController)

    /// The person wants none.
    func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController)

    /// Whether a peer is offered. Optional; without it, all are.
    func browserViewController(
        _ browserViewController: MCBrowserViewController,
        shouldPresentNearbyPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) -> Bool
}

extension MCBrowserViewControllerDelegate {
    /// Every peer is offered.
    public func browserViewController(
        _ browserViewController: MCBrowserViewController,
        shouldPresentNearbyPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) -> Bool { true }
}
