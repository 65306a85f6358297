public import Vocabulary

/// The machines that share a game.
extension SaveSetMachine {
    mutating func handle(_ event: SaveSetEvent.Peer, of peer: PeerID, at now: ContinuousClock.Instant)
        -> [SaveSetEffect]
    {
        switch event {
        case .shared: peers.share(with: peer)
        case .revoking: peers.beginRevoking(peer)
        case .notRevoked: peers.abandonRevoking(peer)
        case .revoked: peers.revoke(peer)
        case .forgotten: peers.forget(peer)
        case .barred:
            peers.dropCutOffs(of: peer)
            return play.barred(peer).map { .play($0) }
        case .stopped(let hasStopped):
            peers.note(stopped: hasStopped, peer)
            guard hasStopped else { return [] }
            return disconnect(peer, at: now) + (peers.noteNamed(nil, by: peer) ? [.saveNamed] : [])
        case .connected(let epoch, let isNew): return connect(peer, epoch, isNew: isNew, at: now)
        case .disconnected: return disconnect(peer, at: now)
        case .greeted: return play.greeted(peer).map { .play($0) } + announce(to: peer)
        case .learned: peers.note(learned: true, from: peer)
        case .notLearned:
            peers.note(learned: false, from: peer)
            downloads.retry.failed(at: now)
        case .offers(let versions): return offered(versions, by: peer)
        case .saysCutOff(let play): peers.noteCutOff(play, by: peer)
        case .progressed(let progress): peers.progressed(peer, to: progress, at: now)
        case .refusedThere(let reason):
            peers.refusedThere(peer)
            return [.tell(.refusedThere(peer, reason))]
        case .silent:
            guard peers.becameSilent(peer) else { return [] }
            defer { downloads.retry.failed(at: now) }
            return downloaded(downloads.stalled(peer, surroundings(at: now)))
        case .answers: return peers.answered(peer) ? search() : []
        case .named, .askedAgain, .asks, .answeredHistory, .caught: return converse(event, with: peer, at: now)
        }
        return []
    }

    /// Handles the events for which ``Exchange`` decides.
    private mutating func converse(
        _ event: SaveSetEvent.Peer,
        with peer: PeerID,
        at now: ContinuousClock.Instant
    ) -> [SaveSetEffect] {
        let actions: [Exchange.Action]?
        switch event {
        case .named(let theirs, let room):
            actions = peers.online[peer]?.exchange.received(theirs, heads.graph, own: heads.heads, room: room)
            peers.online[peer]?.pace = nil
            let isRefused = peers.online[peer]?.exchange.state == .refused
            if !isRefused { peers.returned(peer, naming: theirs) }
            let isNews = !isRefused && peers.noteNamed(theirs.map(\.id), by: peer)
            return (isNews ? [.saveNamed] : []) + exchanged(actions, with: peer, at: now)
        case .askedAgain(let room):
            guard let exchange = peers.online[peer]?.exchange, exchange.state == .level else { return [] }
            actions = peers.online[peer]?.exchange.received(exchange.theirs, heads.graph, own: heads.heads, room: room)
        case .asks(let request, let epoch):
            return exchanged(peers.online[peer]?.exchange.received(request), with: peer, epoch, at: now)
        case .answeredHistory(let snapshots, let room):
            actions = peers.online[peer]?.exchange.received(snapshots, heads.graph, own: heads.heads, room: room)
        case .caught(let refusal): actions = peers.online[peer]?.exchange.refuse(refusal)
        default: return []
        }
        return exchanged(actions, with: peer, at: now)
    }

    private mutating func exchanged(
        _ actions: [Exchange.Action]?,
        with peer: PeerID,
        _ epoch: ExchangeEpoch? = nil,
        at now: ContinuousClock.Instant
    ) -> [SaveSetEffect] {
        (actions ?? []).flatMap { action -> [SaveSetEffect] in
            switch action {
            case .sendHeads(let heads): return [.sendHeads(heads, peer)]
            case .ask(let request): return [.ask(request, peer)]
            case .answer(let request): return epoch.map { [.answer(request, $0, peer)] } ?? []
            case .learn(let snapshots): return [.learn(snapshots, peer)]
            case .offers(let versions): return [.noteOffers(versions, peer)]
            case .refuse(let refusal):
                // The machine is refused: no message about the game is accepted from it until the two connect again.
                peers.online[peer]?.offers = []
                let lost = downloaded(downloads.lost(peer, surroundings(at: now)))
                return [.refuse(refusal, peer), .forgetWants(peer)] + lost + search()
            }
        }
    }

    /// Begins an exchange. The other machine has offered the game to this one, and this one to it.
    private mutating func connect(
        _ peer: PeerID,
        _ epoch: UInt32,
        isNew: Bool,
        at now: ContinuousClock.Instant
    ) -> [SaveSetEffect] {
        let actions = peers.connect(peer, in: set, heads: heads.announcement, firstEpoch: epoch)
        // The claim comes before the heads, which say that the machine is back: it may play still.
        return play.greeted(peer).map { .play($0) } + played(play.met(at: now))
            + exchanged(actions, with: peer, at: now) + (isNew ? [.tell(.met(peer))] : [])
    }

    private mutating func disconnect(_ peer: PeerID, at now: ContinuousClock.Instant) -> [SaveSetEffect] {
        guard peers.disconnect(peer) else { return [] }
        return [.forgetWants(peer)] + downloaded(downloads.lost(peer, surroundings(at: now))) + search()
    }

    private mutating func offered(_ versions: [SnapshotID], by peer: PeerID) -> [SaveSetEffect] {
        peers.online[peer]?.offers = versions
        // Another machine may have sent the versions that could not be stored.
        if versions.allSatisfy({ heads.graph[$0] != nil }) { peers.note(learned: true, from: peer) }
        return search()
    }

    /// Sends the heads to one machine that is online, or to all.
    mutating func announce(to peer: PeerID? = nil) -> [SaveSetEffect] {
        let announcement = heads.announcement
        return (peer.map { [$0] } ?? peers.online.keys.sorted()).flatMap { peer -> [SaveSetEffect] in
            let actions = peers.online[peer]?.exchange.changed(announcement) ?? []
            return actions.compactMap { if case .sendHeads(let heads) = $0 { .sendHeads(heads, peer) } else { nil } }
        }
    }

    /// Notes that another machine named this one as one that has the game, too.
    /// - Returns: true if that was not known
    public mutating func introduce(_ peer: PeerID) -> Bool { peers.introduce(peer) }

    /// Returns the next named versions to store; nil if the ledger has them all.
    public mutating func nextNamed() -> (peer: PeerID, heads: [SnapshotID]?)? { peers.nextToSave() }
}
