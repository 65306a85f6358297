import Discovery
public import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// Looks for peers that advertise, and invites them.
///
/// `@unchecked Sendable` because what changes in it is behind a lock, or belongs to the engine's thread.
open class MCNearbyServiceBrowser: NSObject, @unchecked Sendable {
    /// Who looks.
    public let myPeerID: MCPeerID
    /// What is looked for.
    public let serviceType: String

    private let type: ServiceType
    private let surroundings: any Surroundings
    private let queue = DispatchQueue(label: "MCNearbyServiceBrowser")
    private let changing = Guarded(Changing())

    private struct Changing {
        weak var delegate: (any MCNearbyServiceBrowserDelegate)?
        var work: Task<Void, Never>?
    }

    /// - Parameters:
    ///   - myPeerID: made in this program, or archived by it
    ///   - serviceType: 1 to 15 lowercase letters, digits and single hyphens; anything else ends the program, as it raises an exception on Apple's systems
    public init(peer myPeerID: MCPeerID, serviceType: String) {
        type = ServiceKind.checked(serviceType, for: "MCNearbyServiceBrowser")
        self.myPeerID = myPeerID
        self.serviceType = serviceType
        surroundings = Neighbourhood.surroundings
        super.init()
    }

    deinit {
        changing.withLock { $0.work }?.cancel()
    }

    /// Who is told. It is not kept alive.
    public weak var delegate: (any MCNearbyServiceBrowserDelegate)? {
        get { changing.withLock { $0.delegate } }
        set { changing.withLock { $0.delegate = newValue } }
    }

    /// From now on the delegate is told who is there.
    open func startBrowsingForPeers() {
        let (station, type, surroundings) = (myPeerID.ownStation, type, surroundings)
        changing.withLock { changing in
            guard changing.work == nil else { return }
            let list = SeenPeers(own: myPeerID.id) { [weak self] change in self?.tell(change) }
            changing.work = Engine.begin {
                do {
                    let node = try await station.node()
                    await surroundings.browse(for: type) { list.take($0, node) }
                } catch {
                    list.isBlind("\(error)")
                }
            }
        }
    }

    /// The delegate is told no more.
    open func stopBrowsingForPeers() {
        changing.withLock { changing in
            changing.work?.cancel()
            changing.work = nil
        }
    }

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
        let (core, topic) = (session.core, serviceType)
        let patience: Duration = timeout > 0 ? .seconds(min(timeout, Self.longestTimeout)) : .seconds(30)
        session.onEngine { core.invite(peerID, topic: topic, context: context, patience: patience) }
    }

    private static let longestTimeout: TimeInterval = 86_400

    private func tell(_ change: SeenPeers.Change) {
        queue.async { [self] in
            guard let delegate, changing.withLock({ $0.work != nil }) else { return }
            switch change {
            case .found(let peer, let info): delegate.browser(self, foundPeer: peer, withDiscoveryInfo: info)
            case .lost(let peer): delegate.browser(self, lostPeer: peer)
            case .blind(let why):
                delegate.browser(self, didNotStartBrowsingForPeers: MCError(.unavailable, why))
            }
        }
    }
}
