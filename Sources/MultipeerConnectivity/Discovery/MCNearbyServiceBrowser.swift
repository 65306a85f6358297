public import Foundation
import Session
import Vocabulary

/// Browses advertised peers and invites them.
///
/// `@unchecked Sendable` because its mutable state is behind a lock, or belongs to the engine's thread.
open class MCNearbyServiceBrowser: NSObject, @unchecked Sendable {
    private let service: NearbyService<any MCNearbyServiceBrowserDelegate>

    /// - Parameters:
    ///   - myPeerID: a peer that this program created or archived
    ///   - serviceType: 1 to 15 letters, digits and single hyphens; anything else ends the program; on Apple's systems
    ///     it raises an exception
    public init(peer myPeerID: MCPeerID, serviceType: String) {
        service = NearbyService(myPeerID, serviceType, for: "MCNearbyServiceBrowser")
        super.init()
    }

    deinit {
        service.stop()
    }

    /// The browsing peer.
    open var myPeerID: MCPeerID { service.peer }

    /// The service type of the peers.
    open var serviceType: String { service.name }

    /// The delegate, held weakly.
    open weak var delegate: (any MCNearbyServiceBrowserDelegate)? {
        get { service.delegate }
        set { service.delegate = newValue }
    }

    /// Starts browsing: the delegate learns which peers are visible.
    open func startBrowsingForPeers() {
        let list = SeenPeers(own: service.peer.id) { [weak self] change in self?.tell(change) }
        service.start { localNode, type, surroundings in
            let node = try await localNode.node()
            await surroundings.browse(for: type) { list.take($0, node) }
        } failed: { [weak self] error in
            self?.tell(.blind("\(error)"))
        }
    }

    /// Stops browsing, and all calls of the delegate.
    open func stopBrowsingForPeers() { service.stop() }

    /// Invites a peer into a session. The session's delegate learns the result. Inviting a peer whose own invitation
    /// waits for an answer accepts that invitation.
    ///
    /// - Parameters:
    ///   - peerID: a peer that a browser found
    ///   - session: the session to join
    ///   - context: at most 30 KiB for the app of the peer, which must not trust it; a longer one fails
    ///   - timeout: seconds for the answer after the two are linked; 30 for zero and less
    open func invitePeer(
        _ peerID: MCPeerID,
        to session: MCSession,
        withContext context: Data?,
        timeout: TimeInterval
    ) {
        let (core, topic) = (session.core, service.type.name)
        let patience = Self.patience(of: timeout)
        session.onEngine { core.invite(peerID, topic: topic, context: context, patience: patience) }
    }

    /// Timeout of an invitation.
    static func patience(of timeout: TimeInterval) -> Duration {
        timeout > 0 ? .seconds(min(timeout, longestTimeout)) : .seconds(30)
    }

    private static let longestTimeout: TimeInterval = 86_400

    private func tell(_ change: SeenPeers.Change) {
        service.tell { [self] delegate in
            guard let delegate, service.isOn else { return }
            switch change {
            case .found(let peer, let info): delegate.browser(self, foundPeer: peer, withDiscoveryInfo: info)
            case .lost(let peer): delegate.browser(self, lostPeer: peer)
            case .blind(let why):
                delegate.browser(self, didNotStartBrowsingForPeers: MCError(.unavailable, why))
            }
        }
    }
}
