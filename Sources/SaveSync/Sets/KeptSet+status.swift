import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// What is known of the game, from which its status follows.
extension KeptSet {
    var facts: GameFacts {
        GameFacts(
            folder: problem != nil ? .unavailable : problems.emptied != nil ? .emptied : .usable,
            newest: newest,
            sharers: isPrivate ? [] : allowed.sorted().map(sharer)
        )
    }

    private var newest: GameFacts.Newest {
        if heads.state == .split { return .conflict }
        if heads.heads.contains(where: { quarantine[$0] != nil }) { return .keptOut }
        if waitsForGame { return .waitingForGame }
        return isArriving ? .arriving : folder.hasUnreadChanges ? .unread : .shown
    }

    /// Whether a version is known that is not whole here, or not in the folder.
    private var isArriving: Bool {
        heads.state == .behind || heads.state == .merging || awaitsNewer
            || fetches.keys.contains { !lacking.contains($0) }
            || named.contains { allowed.contains($0.key) && !heads.graph.covers(heads.heads, $0.value) }
    }

    private func sharer(_ peer: PeerID) -> GameSharer {
        let isOnline = parts[peer] != nil || keeper.node.isLinked(to: peer)
        return GameSharer(peer, isOnline: isOnline, part(of: peer))
    }

    private func part(of peer: PeerID) -> GameSharer.Part {
        if keeper.rights[peer] == .blocked { return .blocked(.blockedHere) }
        if keeper.rights[peer] == .notPermitted { return .blocked(.notPermittedHere) }
        if parted.contains(peer) || keeper.rights[peer] == .unknown { return .stopped }
        if let part = parts[peer] {
            if part.isRefusedThere { return .blocked(.refusedThere) }
            if part.exchange.state == .refused { return .blocked(.refusedHere) }
            return part.hasNamed && holdsNewest(part.exchange.theirs.map(\.id)) ? .holdsNewest : .behind
        }
        // One that is switched off gives no answer either.
        if let obstacle = keeper.heldOff[peer], obstacle != .noAnswer || keeper.node.isLinked(to: peer) {
            return .blocked(obstacle)
        }
        guard let heads = named[peer] else { return .notJoined }
        return holdsNewest(heads) ? .holdsNewest : .behind
    }

    private func holdsNewest(_ named: [SnapshotID]) -> Bool {
        heads.graph.covers(named, heads.heads.filter(heads.held.contains))
    }

    /// Speed of what comes here, and of what each machine fetches.
    var paces: (here: FetchPace?, there: [PeerID: FetchPace]) {
        let coming = fetches.filter { !lacking.contains($0.key) }.values.compactMap(\.pace)
        return (coming.max { $0.progress.total < $1.progress.total }, parts.compactMapValues(\.pace))
    }

    /// Says to those that give it how much of a version has come, once a second at most. What is done in a moment needs no word.
    func tellProgress(of fetch: Fetch) {
        guard let progress = fetch.moves(at: .current), progress.total >= 1 << 20 else { return }
        for part in parts.values where part.offers.contains(fetch.machine.snapshot) {
            part.peer.send(.progress(id, progress))
        }
    }

    /// Remembers what a sharer says to hold; nil if it takes part no longer.
    func noteNamed(_ heads: [SnapshotID]?, by peer: PeerID) {
        guard named[peer] != heads else { return }
        named[peer] = heads
        unnoted.insert(peer)
        // One write at a time, however often a machine changes its mind.
        guard !isNoting else { return }
        isNoting = true
        keeper.crew.add {
            while let next = self.unnoted.popFirst() {
                // If the disk takes nothing, the machine says it again when the two meet.
                try? await self.keeper.ledger.noteNamed(self.named[next], by: next, of: self.id)
            }
            self.isNoting = false
        }
    }

    /// Whether what a machine saved while it was cut off may still come.
    func isWaitedFor(_ peer: PeerID) -> Bool {
        allowed.contains(peer) && !parted.contains(peer) && keeper.rights[peer] == .mayExchange
    }
}
