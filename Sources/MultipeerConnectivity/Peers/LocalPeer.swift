import Foundation
import Synchronization
import Transport
import Vocabulary

/// A peer that this program is: its key, and what runs in its name.
final class LocalPeer: Sendable {
    let identity: Identity
    let displayName: String
    let station: Station
    private let folder: PeerFolder

    private static let known = Mutex<[PeerID: WeakPeer]>([:])

    private struct WeakPeer {
        weak let peer: LocalPeer?
    }

    var id: PeerID { identity.peerID }

    /// A new one, whom nobody has met.
    convenience init(displayName: String) {
        let identity = Identity.ephemeral()
        self.init(identity, displayName, PeerFolder(of: identity.peerID))
    }

    private init(_ identity: Identity, _ displayName: String, _ folder: PeerFolder) {
        self.identity = identity
        self.displayName = displayName
        self.folder = folder
        station = Station(identity, displayName, folder)
        Self.known.withLock { known in
            known = known.filter { $0.value.peer != nil }
            known[identity.peerID] = WeakPeer(peer: self)
        }
    }

    deinit {
        station.end()
    }

    /// Whoever was archived here comes back with its key: the one that is still there, or the one that was kept.
    static func returning(_ id: PeerID, displayName: String) -> LocalPeer? {
        if let peer = known.withLock({ $0[id]?.peer }) { return peer }
        let folder = PeerFolder(of: id)
        guard let identity = folder.keptIdentity(), identity.peerID == id else { return nil }
        return LocalPeer(identity, displayName, folder)
    }

    /// From now on it outlives the program. Whoever archives a peer wants to be it again.
    func keep() {
        folder.keep(identity)
    }
}
