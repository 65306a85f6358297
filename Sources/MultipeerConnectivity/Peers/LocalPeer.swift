import Foundation
import Synchronization
import Transport
import Vocabulary

/// A peer that this program is: its key and its running parts.
final class LocalPeer: Sendable {
    let identity: Identity
    let displayName: String
    let localNode: LocalPeerNode
    private let folder: PeerFolder

    private static let known = Mutex<[PeerID: WeakPeer]>([:])

    private struct WeakPeer {
        weak let peer: LocalPeer?
    }

    var id: PeerID { identity.peerID }

    /// Creates a new peer.
    convenience init(displayName: String) {
        let identity = Identity.ephemeral()
        self.init(identity, displayName, PeerFolder(of: identity.peerID))
    }

    private init(_ identity: Identity, _ displayName: String, _ folder: PeerFolder) {
        self.identity = identity
        self.displayName = displayName
        self.folder = folder
        localNode = LocalPeerNode(identity, displayName, folder)
        Self.known.withLock { known in
            known = known.filter { $0.value.peer != nil }
            known[identity.peerID] = WeakPeer(peer: self)
        }
    }

    deinit {
        localNode.end()
    }

    /// The peer with this ID, if it is still running or its key was stored.
    static func returning(_ id: PeerID, displayName: String) -> LocalPeer? {
        if let peer = known.withLock({ $0[id]?.peer }) { return peer }
        let folder = PeerFolder(of: id)
        guard let identity = folder.keptIdentity(), identity.peerID == id else { return nil }
        return LocalPeer(identity, displayName, folder)
    }

    /// Stores the key permanently: a user who archives a peer wants to use it again.
    func keep() {
        folder.keep(identity)
    }
}
