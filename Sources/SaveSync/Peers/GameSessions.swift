import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The exchange with other machines about all games: messages of a machine go to the games, and each machine hears of
/// the games that it may have.
@Engine
final class GameSessions {
    private let services: SaveServices
    private let games: GameRegistry
    private(set) lazy var connections = PeerConnections(services, self)
    private(set) lazy var household = HouseholdExchange(services, connections)
    private lazy var statuses = StatusChanges(services, games) { [connections] in connections.heldOff }

    init(_ services: SaveServices, _ games: GameRegistry) {
        (self.services, self.games) = (services, games)
        services.rights.whenChanged = { [weak self] peer, rights in self?.noteRights(rights, of: peer) }
    }

    // MARK: Offers

    /// Offers a game to all machines that may have it, and dials those that are offline. They can't know yet that they
    /// may have it, so they would not dial.
    func spread(_ set: SaveSetRunner) {
        for sharer in set.machine.sharers {
            if let peer = connections.peers[sharer], !peer.presence.isEnding {
                offer(set.set, to: peer)
            } else {
                connections.connect(to: sharer, after: .zero)
            }
        }
    }

    /// Exchanges a game with the machines that have offered it already, and offers it to all that may have it.
    func resume(_ set: SaveSetRunner) {
        // The exchange begins before the offer is sent. Otherwise an answer to the offer could come before it, or begin
        // it once more.
        for peer in offering(set) where set.sessions[peer.id] == nil { set.exchange.meets(peer) }
        spread(set)
    }

    /// The machines that are online and have offered a game that they share.
    func offering(_ set: SaveSetRunner) -> [SavePeer] {
        connections.peers.values.filter { set.machine.sharers.contains($0.id) && $0.offered.contains(set.id) }
    }

    /// Handles the machines that a sharer of a game names as sharers. Those that are paired with this machine may have
    /// the game from here, too.
    func introduce(_ fellows: [PeerID], to set: SaveSetRunner) async {
        var isChanged = false
        for fellow in fellows where fellow != services.node.id && !set.machine.sharers.contains(fellow) {
            guard await services.rights.mayExchange(with: fellow),
                games[set.id]?.machine.peers.revoked.contains(fellow) == false
            else {
                continue
            }
            // A user may have revoked it or forgotten the machine in this moment. The ledger knows that, and checks and
            // writes in one step.
            guard (try? await services.ledger.sharing.introduce(fellow, to: set.id)) == true else { continue }
            // This machine may have left the game meanwhile, or a user may have revoked it.
            guard let set = games[set.id] else { return }
            guard !set.machine.peers.revoked.contains(fellow) else {
                try? await services.ledger.sharing.share(set.id, with: fellow, false)
                continue
            }
            isChanged = set.set.update { $0.introduce(fellow) } || isChanged
            if let there = connections.peers[fellow], there.offered.contains(set.id) { set.exchange.meets(there) }
        }
        guard isChanged, let set = games[set.id] else { return }
        spread(set)
    }

    /// Tells the machines that share a game that it is paused, and exchanges nothing with them from now on.
    func pause(_ set: SaveSetRunner) {
        for peer in Array(set.sessions.keys) { set.exchange.parts(from: peer) }
        for peer in connections.peers.values where set.machine.partners.contains(peer.id) { peer.pause(set.id) }
    }
}

// MARK: - The sessions

extension GameSessions: PeerAudience {
    func begins(_ peer: SavePeer) {
        meets(peer)
        household.meets(peer)
    }

    /// Tells a machine in a new session of the games that it may have, and of no others.
    func meets(_ peer: SavePeer) {
        guard connections.peers[peer.id] === peer else { return }
        let shared = games.all.filter { $0.machine.sharers.contains(peer.id) }.sorted {
            $0.entry.name < $1.entry.name
        }
        for set in shared { offer(set.set, to: peer) }
        for set in games.all where set.machine.pause != nil && set.machine.partners.contains(peer.id) {
            peer.pause(set.id)
        }
        // The machine may have been offline when the game was revoked.
        for set in games.all where set.machine.peers.revoked.contains(peer.id) { peer.withdraw(set.id) }
        // The peer may still know an offer of before it was away, and the user have left that game meanwhile.
        for set in peer.listed where games[set] == nil { peer.withdraw(set) }
    }

    func takeHousehold(_ bytes: [UInt8], from peer: SavePeer) async { await household.take(bytes, from: peer) }

    /// Begins the exchange again with a machine that is online and whose answer did not come.
    func meetsAgain(_ peer: SavePeer) {
        meets(peer)
        for set in games.all where set.sessions[peer.id] != nil {
            set.exchange.parts(from: peer.id)
            set.exchange.meets(peer)
        }
    }

    /// Begins the exchange again with a machine that is back. It may not have noticed that it was away, so what it has
    /// offered in this session and not withdrawn is still offered.
    func meetsWhatWasOffered(by peer: SavePeer) {
        for set in games.all where peer.offered.contains(set.id) && set.machine.sharers.contains(peer.id) {
            set.exchange.meets(peer)
        }
    }

    func parts(from peer: SavePeer) {
        guard connections.peers[peer.id] === peer else { return }
        for set in games.all { set.exchange.parts(from: peer.id) }
    }

    /// Takes an offer: the machine has a game, and this machine may have it.
    func take(_ offer: SaveOffer, from peer: SavePeer) async {
        services.trimmer.worked()
        games[offer.set]?.handle(.peer(peer.id, .stopped(false)))
        if let set = games[offer.set], set.machine.sharers.contains(peer.id) {
            await introduce(offer.fellows, to: set)
            if let set = games[offer.set], set.machine.sharers.contains(peer.id), peer.presence.isHere {
                set.exchange.meets(peer)
            }
            return
        }
        guard games[offer.set].map({ $0.machine.problems.misplaced == nil && $0.machine.pause == nil }) ?? true else {
            return
        }
        do {
            let own = services.node.id
            switch try await services.ledger.sharing.noteOffer(offer, from: peer.id, to: own) {
            case .tooLarge: return services.note(SaveRefusal(.offerTooLarge), by: peer.id, in: offer.name)
            case .new: services.tell(SaveSyncEvent(set: offer.set, name: offer.name, change: .offered(peer.id)))
            case .known: break
            }
            // Otherwise the machine would wait for this one. This one has left the game, or its user has removed and
            // paired the machine again.
            let hasLeft = try await services.ledger.sharing.leftSets(by: own).contains(offer.set)
            if games[offer.set].map({ !$0.machine.partners.contains(peer.id) }) ?? hasLeft { peer.withdraw(offer.set) }
        } catch {
            services.tell(SaveSyncEvent(set: offer.set, name: offer.name, change: .trouble(error)))
        }
    }

    func takeWithdrawal(of set: SaveSetID, from peer: SavePeer) async {
        games[set]?.exchange.isWithdrawn(by: peer.id)
        connections.noteArrival()
        try? await services.ledger.sharing.removeOffer(of: set, from: peer.id)
    }

    /// Handles the message that a user has paused a game on another machine. Returns true if the game is shared with
    /// that machine.
    func takePause(of set: SaveSetID, from peer: SavePeer) -> Bool {
        guard let kept = games[set], kept.machine.peers.allowed.contains(peer.id) else { return false }
        kept.exchange.parts(from: peer.id)
        connections.noteArrival()
        return true
    }

    /// Returns the game if a machine shares it; nil if not.
    func part(of peer: SavePeer, in set: SaveSetID) -> (any SharedGame)? {
        guard let kept = games[set], kept.machine.sharers.contains(peer.id), kept.sessions[peer.id] === peer else {
            return nil
        }
        return kept
    }

    /// Handles a message about a game that the machine does not share. It gets no answer, so it can't learn if there is
    /// such a game.
    func notPermitted(_ peer: SavePeer, _ set: SaveSetID) {
        // A message that was sent just before the game was left or revoked is no fault of the machine.
        guard games[set].map({ $0.machine.sharers.contains(peer.id) || $0.machine.pause != nil }) != true else {
            return
        }
        services.note(SaveRefusal(.notPermitted), by: peer.id, in: nil)
    }

    /// True if a machine was asked for history and has not answered.
    func awaitsHistory(from peer: SavePeer) -> Bool {
        games.all.contains { $0.machine.peers.online[peer.id]?.isAsked == true }
    }

    func isSilent(_ peer: SavePeer) {
        for set in games.all where set.sessions[peer.id] != nil { set.exchange.isSilent(peer) }
    }

    /// Ends the session of a machine that sent something that no game accepts.
    func caught(_ peer: SavePeer, _ refusal: SaveRefusal, at set: SaveSetName?) {
        services.note(refusal, by: peer.id, in: set)
        for kept in games.all where kept.sessions[peer.id] != nil { kept.tell(.refused(peer.id, refusal)) }
        peer.hangUp()
    }

    func isHeldOff(by peer: PeerID) { connections.isHeldOff(by: peer, .notPermittedThere) }
}

extension GameSessions: ConnectedGames {
    func shares(with peer: PeerID) -> Bool { games.all.contains { $0.machine.partners.contains(peer) } }

    func hasNews(for peer: PeerID) -> Bool { household.hasNews(for: peer) }

    func game(_ id: SaveSetID) throws -> SaveSet { try games.game(id).set }

    func noteMachines() { statuses.noteAll() }

    private func noteRights(_ rights: SharerRights, of peer: PeerID) {
        if rights != .mayExchange { for set in games.all { set.handle(.peer(peer, .barred)) } }
        noteMachines()
    }

    func tellStopped(_ peer: PeerID, _ obstacle: SyncObstacle) {
        for set in games.all where set.machine.sharers.contains(peer) { set.tell(.stopped(peer, obstacle)) }
    }
}

// MARK: - The games

extension GameSessions: SaveSetOwner {
    var setCount: Int { games.count }

    func noteArrival() { connections.noteArrival() }

    func noteChange(of set: SaveSetID) { statuses.note(set) }

    func offer(_ set: SaveSet, to peer: SavePeer) {
        let fellows = set.machine.sharers.subtracting(services.rights.barred).subtracting([peer.id])
        if peer.offer(SaveOffer(of: set.entry, to: fellows)) { games[set.id]?.exchange.greetsAgain(peer) }
    }

    func isPaused(_ set: SaveSetID, by peer: PeerID) -> Bool {
        connections.peers[peer]?.paused.contains(set) == true
    }

    /// Returns how many bytes of a machine's messages about a game may stay in memory until they are whole. It is the
    /// rest that the machine's other games, and all other machines, leave.
    func room(for peer: PeerID, in set: SaveSetID) -> Int {
        var (ofPeer, ofAll) = (0, 0)
        for other in games.all {
            for (id, part) in other.machine.peers.online where other.id != set || id != peer {
                ofAll += part.exchange.byteCount
                if id == peer { ofPeer += part.exchange.byteCount }
            }
        }
        return max(0, min(services.bounds.staged - ofPeer, services.bounds.stagedByAll - ofAll))
    }
}

extension SaveOffer {
    /// The offer of a game to machines that may have it.
    init(of entry: SaveSetEntry, to fellows: Set<PeerID>) {
        self.init(
            entry.id,
            named: entry.name,
            ignored: entry.scope.ignored,
            chosen: entry.chosen,
            // An earlier version of the program accepted larger rules.
            rules: entry.rules.flatMap { $0.utf8.count > SaveOffer.maximumRulesByteCount ? nil : $0 },
            fellows: fellows
        )
    }
}
