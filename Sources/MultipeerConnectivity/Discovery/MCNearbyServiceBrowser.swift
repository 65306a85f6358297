public import Foundation
import Session
import Vocabulary

/// Looks for peers that advertise, and invites them.
///
/// `@unchecked Sendable` because what changes in it is behind a lock, or belongs to the engine's thread.
open class MCNearbyServiceBrowser: NSObject, @unchecked Sendable {
    private let service: NearbyService<any MCNearbyServiceBrowserDelegate>

    /// - Parameters:
    ///   - myPeerID: made in this program, or archived by it
    ///   - serviceType: 1 to 15 letters, digits and single hyphens; anything else ends the program, as it raises an exception on Apple's systems
    public init(peer myPeerID: MCPeerID, serviceType: String) {
        service = NearbyService(myPeerID, serviceType, for: "MCNearbyServiceBrowser")
        super.init()
    }

    deinit {
        service.stop()
    }

    /// Who looks.
    open var myPeerID: MCPeerID { service.peer }

    /// What is looked for.
    open var serviceType: String { service.name }

    /// Who is told. It is not kept alive.
    open weak var delegate: (any MCNearbyServiceBrowserDelegate)? {
        get { service.delegate }
        set { service.delegate = newValue }
    }

    /// From now on the delegate is told who is there.
    open func startBrowsingForPeers() {
        let list = SeenPeers(own: service.peer.id) { [weak self] change in self?.tell(change) }
        service.start { station, type, surroundings in
            let node = try await station.node()
            await surroundings.browse(for: type) { list.take($0, node) }
        } failed: { [weak self] error in
            self?.tell(.blind("\(error)"))
        }
    }

    /// The delegate is told no more.
    open func stopBrowsingForPeers() { service.stop() }

    /// Asks a peer into a session. What becomes of it, the session's delegate is told. Inviting somebody whose own invitation waits for an answer answers it.
    ///
    /// - Parameters:
    ///   - peerID: whom a browser has found
    ///   - session: where it is to come
    ///   - context: up to 30 KiB for the app over there, for whom it is a stranger's word; with more the invitation fails
    ///   - timeout: how many seconds the person there may take, once the two are linked; 30 for zero and less
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

    /// How long an invitation waits for its answer.
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
