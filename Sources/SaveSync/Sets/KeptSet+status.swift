import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The facts from which the status of the game follows.
extension KeptSet {
    var facts: GameFacts {
        GameFacts(
            folder: problem != nil ? .unavailable : problems.emptied != nil ? .emptied : .usable,
            newest: newest,
            sharers: isPrivate ? [] : peers.allowed.sorted().map(sharer)
        )
    }

    private var newest: GameFacts.Newest {
        if heads.state == .split { return .conflict }
        if heads.heads.contains(where: { quarantine[$0] != nil }) { return .keptOut }
        if waitsForGame { return .waitingForGame }
        return isArriving ? .arriving : folder.hasUnreadChanges ? .unread : .shown
    }

    /// Whether this machine knows of a version that it does not have whole, or that is not in the folder.
    private var isArriving: Bool {
        heads.state == .behind || heads.state == .merging || awaitsNewer || downloads.isAnyNew
            || peers.haveNamedNewer(than: heads)
    }

    private func sharer(_ peer: PeerID) -> GameSharer {
        let (rights, isLinked) = (keeper.rights[peer], keeper.node.isLinked(to: peer))
        // A machine that is switched off gives no answer either.
        let heldOff = keeper.connections.heldOff[peer].flatMap { $0 != .noAnswer || isLinked ? $0 : nil }
        let part = peers.part(
            of: peer,
            heads,
            rights: rights?.obstacle,
            isForgotten: rights == .unknown,
            heldOff: heldOff
        )
        return GameSharer(peer, isOnline: sessions[peer] != nil || isLinked, part)
    }

    /// Speed of the version that comes here, and of what each machine fetches.
    var paces: (here: FetchPace?, there: [PeerID: FetchPace]) {
        (downloads.pace, peers.online.compactMapValues(\.pace))
    }

    /// Tells the machines that give a version how much of it has come, once a second at most. A small version needs no word.
    func tellProgress(of version: SnapshotID) {
        guard let progress = downloads.progress(of: version, at: .current), progress.total >= 1 << 20 else { return }
        for (peer, part) in peers.online where part.offers.contains(version) {
            sessions[peer]?.send(.progress(id, progress))
        }
    }

    /// Remembers which versions a machine says to have; nil if it no longer shares the game.
    func noteNamed(_ heads: [SnapshotID]?, by peer: PeerID) {
        guard peers.noteNamed(heads, by: peer) else { return }
        keeper.crew.add {
            while let next = self.peers.nextToSave() {
                // If the disk takes nothing, the machine says it again when the two connect.
                try? await self.keeper.ledger.noteNamed(next.heads, by: next.peer, of: self.id)
            }
        }
    }

    /// Whether the saves of a machine that was cut off may still come.
    func isWaitedFor(_ peer: PeerID) -> Bool {
        peers.allowed.contains(peer) && !peers.stopped.contains(peer) && keeper.rights[peer] == .mayExchange
    }
}
