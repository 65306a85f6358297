public import Foundation

/// Delegate of a browser.
public protocol MCNearbyServiceBrowserDelegate: NSObjectProtocol {
    /// The browser found a peer.
    func browser(
        _ browser: MCNearbyServiceBrowser,
        foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    )

    /// A peer is no longer visible. The network can take up to two minutes to notice.
    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID)

    /// Browsing failed, so no peer can be seen. Optional.
    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error)
}

extension MCNearbyServiceBrowserDelegate {
    /// Does nothing.
    public func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {}
}
