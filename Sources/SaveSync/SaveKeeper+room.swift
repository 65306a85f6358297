import SaveRules
import Session
import Vocabulary

/// How much of what peers say of history stays in memory until the way back is whole.
extension SaveKeeper {
    /// How many bytes a set may hold of what a peer says of it: what the peer's other sets, and all other peers, leave.
    func room(for peer: PeerID, in set: KeptSet) -> Int {
        var (ofPeer, ofAll) = (0, 0)
        for other in sets.values {
            for (id, part) in other.machine.peers.online where other !== set || id != peer {
                ofAll += part.exchange.byteCount
                if id == peer { ofPeer += part.exchange.byteCount }
            }
        }
        return max(0, min(bounds.staged - ofPeer, bounds.stagedByAll - ofAll))
    }
}
