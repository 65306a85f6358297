import SaveRules
import Session
import Vocabulary

/// What games need to know of the engine.
extension SaveKeeper: SaveSetOwner {
    var setCount: Int { sets.count }

    func noteArrival() { connections.noteArrival() }

    /// How many bytes of what a machine says about a game may stay in memory until it is whole: what the machine's other games, and all other
    /// machines, leave.
    func room(for peer: PeerID, in set: SaveSetID) -> Int {
        var (ofPeer, ofAll) = (0, 0)
        for other in sets.values {
            for (id, part) in other.machine.peers.online where other.id != set || id != peer {
                ofAll += part.exchange.byteCount
                if id == peer { ofPeer += part.exchange.byteCount }
            }
        }
        return max(0, min(services.bounds.staged - ofPeer, services.bounds.stagedByAll - ofAll))
    }
}

extension SaveKeeper: ConnectedGames {
    func hasNews(for peer: PeerID) -> Bool { household.hasNews(for: peer) }

    func begins(_ peer: SavePeer) {
        meets(peer)
        household.meets(peer)
    }

    func takeHousehold(_ bytes: [UInt8], from peer: SavePeer) async { await household.take(bytes, from: peer) }

    func game(_ id: SaveSetID) throws -> SaveSet { try set(id).set }

    func tellStopped(_ peer: PeerID, _ obstacle: SyncObstacle) {
        for set in sets.values where set.machine.sharers.contains(peer) { set.tell(.stopped(peer, obstacle)) }
    }

    func isHeldOff(by peer: PeerID) { connections.isHeldOff(by: peer, .notPermittedThere) }
}
