public import Vocabulary

/// The machines that share a game.
extension SaveSetMachine {
    /// Events between this machine and another.
    public enum PeerEvent: Sendable {
        /// A user of this machine shares the game with it.
        case shared
        /// A user takes the game back from it. The ledger is about to say so.
        case revoking
        /// The ledger could not be written, so that it still has the game.
        case notRevoked
        /// The ledger says that the game was taken back from it.
        case revoked
        /// The user forgot the machine.
        case forgotten
        /// It stopped sharing the game, or shares it again.
        case stopped(Bool)
        /// It has the game and has connected. The number is a random one for the first connection.
        case connected(firstTicket: UInt32, isNew: Bool)
        /// It is offline, or no longer shares the game.
        case disconnected
        /// It takes an offer for a new connection, in which it has heard nothing yet.
        case greeted
        /// It names its newest versions. The room is how many bytes the exchange may hold of what it says.
        case named([SnapshotHead], room: Int)
        /// The versions that it named last are looked at again.
        case askedAgain(room: Int)
        /// It asks for history.
        case asks(HistoryRequest, SaveTicket)
        /// It answered with history.
        case answeredHistory([Snapshot], room: Int)
        /// The history that it sent is written down.
        case learned
        /// The history that it sent could not be written down.
        case notLearned
        /// It has these versions whole.
        case offers([SnapshotID])
        /// It has fetched so much.
        case progressed(FetchProgress)
        /// It refuses what this machine said.
        case refusedThere(Label)
        /// It said something that is not accepted.
        case caught(SaveRefusal)
        /// It stopped answering.
        case silent
        /// It answers.
        case answers
    }

    mutating func handle(_ event: PeerEvent, of peer: PeerID, at now: ContinuousClock.Instant) -> [Effect] {
        switch event {
        case .shared: peers.share(with: peer)
        case .revoking: peers.beginRevoking(peer)
        case .notRevoked: peers.abandonRevoking(peer)
        case .revoked: peers.revoke(peer)
        case .forgotten: peers.forget(peer)
        case .stopped(let hasStopped): peers.note(stopped: hasStopped, peer)
        case .connected(let ticket, let isNew): return connect(peer, ticket, isNew: isNew, at: now)
        case .disconnected: return disconnect(peer, at: now)
        case .greeted: return announce(to: peer)
        case .learned: peers.note(learned: true, from: peer)
        case .notLearned:
            peers.note(learned: false, from: peer)
            downloads.retry.failed(at: now)
        case .offers(let versions): return offered(versions, by: peer)
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

    /// The part of a conversation about versions for which ``Exchange`` decides.
    private mutating func converse(
        _ event: PeerEvent,
        with peer: PeerID,
        at now: ContinuousClock.Instant
    ) -> [Effect] {
        let actions: [Exchange.Action]?
        switch event {
        case .named(let theirs, let room):
            actions = peers.online[peer]?.exchange.received(theirs, heads.graph, own: heads.heads, room: room)
            peers.online[peer]?.pace = nil
            let isRefused = peers.online[peer]?.exchange.state == .refused
            let saving = isRefused ? [] : noteNamed(theirs.map(\.id), by: peer)
            return saving + played(play.heardVersions(from: peer)) + exchanged(actions, with: peer, at: now)
        case .askedAgain(let room):
            guard let exchange = peers.online[peer]?.exchange, exchange.state == .level else { return [] }
            let theirs = exchange.theirs
            actions = peers.online[peer]?.exchange.received(theirs, heads.graph, own: heads.heads, room: room)
        case .asks(let request, let ticket):
            return exchanged(peers.online[peer]?.exchange.received(request), with: peer, ticket, at: now)
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
        _ ticket: SaveTicket? = nil,
        at now: ContinuousClock.Instant
    ) -> [Effect] {
        (actions ?? []).flatMap { action -> [Effect] in
            switch action {
            case .sendHeads(let heads): return [.sendHeads(heads, peer)]
            case .ask(let request): return [.ask(request, peer)]
            case .answer(let request): return ticket.map { [.answer(request, $0, peer)] } ?? []
            case .learn(let snapshots): return [.learn(snapshots, peer)]
            case .offers(let versions): return [.noteOffers(versions, peer)]
            case .refuse(let refusal):
                // Nothing more about the game is accepted from the machine until the two connect again.
                peers.online[peer]?.offers = []
                let lost = downloaded(downloads.lost(peer, surroundings(at: now)))
                return [.refuse(refusal, peer), .forgetWants(peer)] + lost + search()
            }
        }
    }

    /// A machine has said that it has the game and that this one may have it. The same was said to it.
    private mutating func connect(
        _ peer: PeerID,
        _ ticket: UInt32,
        isNew: Bool,
        at now: ContinuousClock.Instant
    ) -> [Effect] {
        let actions = peers.connect(peer, in: set, heads: heads.announcement, firstTicket: ticket)
        return exchanged(actions, with: peer, at: now) + played(play.met(at: now))
            + (isNew ? [.tell(.met(peer))] : [])
    }

    private mutating func disconnect(_ peer: PeerID, at now: ContinuousClock.Instant) -> [Effect] {
        guard peers.disconnect(peer) else { return [] }
        return [.forgetWants(peer)] + downloaded(downloads.lost(peer, surroundings(at: now))) + search()
    }

    private mutating func offered(_ versions: [SnapshotID], by peer: PeerID) -> [Effect] {
        peers.online[peer]?.offers = versions
        // Another machine may have said what could not be written down.
        if versions.allSatisfy({ heads.graph[$0] != nil }) { peers.note(learned: true, from: peer) }
        return search()
    }

    /// Tells machines that are online which versions are newest: one of them, or all.
    mutating func announce(to peer: PeerID? = nil) -> [Effect] {
        let announcement = heads.announcement
        return (peer.map { [$0] } ?? peers.online.keys.sorted()).flatMap { peer -> [Effect] in
            let actions = peers.online[peer]?.exchange.changed(announcement) ?? []
            return actions.compactMap { if case .sendHeads(let heads) = $0 { .sendHeads(heads, peer) } else { nil } }
        }
    }

    /// Remembers which versions a machine says to have; nil if it no longer shares the game.
    private mutating func noteNamed(_ versions: [SnapshotID]?, by peer: PeerID) -> [Effect] {
        peers.noteNamed(versions, by: peer) ? [.saveNamed] : []
    }

    /// A machine has withdrawn the game: it is no longer known to have any version.
    public mutating func withdrawn(by peer: PeerID, at now: ContinuousClock.Instant) -> [Effect] {
        let effects = disconnect(peer, at: now)
        peers.note(stopped: true, peer)
        return effects + noteNamed(nil, by: peer)
    }

    /// Another machine says that this one has the game, too. Answers whether that is news.
    public mutating func introduce(_ peer: PeerID) -> Bool { peers.introduce(peer) }

    /// The next named versions to write down; nil if the ledger has them all.
    public mutating func nextNamed() -> (peer: PeerID, heads: [SnapshotID]?)? { peers.nextToSave() }
}
