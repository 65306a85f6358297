import Ledger
import SaveRules
import Session
import Vocabulary

/// What peers say of sets, and what they are told.
extension SaveKeeper {
    /// There is a session with a peer: it hears of the sets that it may have, and of no others.
    func meets(_ peer: SavePeer) {
        guard connections.peers[peer.id] === peer else { return }
        let shared = sets.values.filter { $0.machine.sharers.contains(peer.id) }.sorted {
            $0.entry.name < $1.entry.name
        }
        for set in shared { offer(set.set, to: peer) }
        for set in sets.values where set.machine.pause != nil && set.machine.partners.contains(peer.id) {
            peer.pause(set.id)
        }
        // It may have been away when that was said.
        for set in sets.values where set.machine.peers.revoked.contains(peer.id) { peer.withdraw(set.id) }
    }

    /// What it was asked for did not come, though it is there: both begin anew.
    func meetsAgain(_ peer: SavePeer) {
        meets(peer)
        for set in sets.values where set.sessions[peer.id] != nil {
            set.exchange.parts(from: peer.id)
            set.exchange.meets(peer)
        }
    }

    /// A peer is back that may not have been away for itself: what it has offered in this session, and not taken back, is still offered.
    func meetsWhatWasOffered(by peer: SavePeer) {
        for set in sets.values where peer.offered.contains(set.id) && set.machine.sharers.contains(peer.id) {
            set.exchange.meets(peer)
        }
    }

    func parts(from peer: SavePeer) {
        guard connections.peers[peer.id] === peer else { return }
        for set in sets.values { set.exchange.parts(from: peer.id) }
    }

    func offer(_ set: SaveSet, to peer: SavePeer) {
        let offer = offer(
            of: set.entry,
            to: set.machine.sharers.subtracting(services.rights.barred).subtracting([peer.id])
        )
        if peer.offer(offer) { sets[set.id]?.exchange.greetsAgain(peer) }
    }

    /// A peer says that it has a set and that this machine may have it.
    func take(_ offer: SaveOffer, from peer: SavePeer) async {
        services.trimmer.worked()
        sets[offer.set]?.handle(.peer(peer.id, .stopped(false)))
        if let set = sets[offer.set], set.machine.sharers.contains(peer.id) {
            await introduce(offer.fellows, to: set)
            if let set = sets[offer.set], set.machine.sharers.contains(peer.id), peer.presence.isHere {
                set.exchange.meets(peer)
            }
            return
        }
        guard sets[offer.set].map({ $0.machine.problems.misplaced == nil && $0.machine.pause == nil }) ?? true else {
            return
        }
        do {
            let isNews = try await services.ledger.noteOffer(offer, from: peer.id)
            if isNews { services.tell(SaveNews(set: offer.set, name: offer.name, event: .offered(peer.id))) }
            // It was offline when this machine left the game, and would wait for it.
            let offered = try await services.ledger.offeredSets().values
            if sets[offer.set] == nil,
                offered.contains(where: { $0.peer == services.node.id && $0.offer.set == offer.set })
            {
                peer.withdraw(offer.set)
            }
        } catch {
            services.tell(SaveNews(set: offer.set, name: offer.name, event: .trouble(error)))
        }
    }

    /// Who has part in a set names others that have. Those that are friends here as well may have it from here, too.
    func introduce(_ fellows: [PeerID], to set: SaveSetRunner) async {
        var isChanged = false
        for fellow in fellows where fellow != services.node.id && !set.machine.sharers.contains(fellow) {
            guard await services.rights.mayExchange(with: fellow),
                sets[set.id]?.machine.peers.revoked.contains(fellow) == false
            else {
                continue
            }
            // A person may have taken it back or have forgotten the fellow in this moment. The ledger knows, and does both in one step.
            guard (try? await services.ledger.introduce(fellow, to: set.id)) == true else { continue }
            // Its settings may have changed meanwhile, or a person have taken it back.
            guard let set = sets[set.id] else { return }
            guard !set.machine.peers.revoked.contains(fellow) else {
                try? await services.ledger.share(set.id, with: fellow, false)
                continue
            }
            isChanged = set.set.update { $0.introduce(fellow) } || isChanged
            if let there = connections.peers[fellow], there.offered.contains(set.id) { set.exchange.meets(there) }
        }
        guard isChanged, let set = sets[set.id] else { return }
        spread(set)
    }

    /// Tells everybody who may have a set that it is here, and looks for those who are not there. They can't know yet that they
    /// may, so nobody is waited for.
    func spread(_ set: SaveSetRunner) {
        for sharer in set.machine.sharers {
            if let peer = connections.peers[sharer], !peer.presence.isEnding {
                offer(set.set, to: peer)
            } else {
                connections.connect(to: sharer, after: .zero)
            }
        }
    }

    func takeWithdrawal(of set: SaveSetID, from peer: SavePeer) async {
        sets[set]?.exchange.isWithdrawn(by: peer.id)
        connections.noteArrival()
        try? await services.ledger.removeOffer(of: set, from: peer.id)
    }

    /// The set, if a peer has part in it.
    func part(of peer: SavePeer, in set: SaveSetID) -> (any SharedGame)? {
        guard let kept = sets[set], kept.machine.sharers.contains(peer.id), kept.sessions[peer.id] === peer else {
            return nil
        }
        return kept
    }

    /// A peer speaks of a set that it has no part in. It gets no answer, whether there is such a set or not.
    func notPermitted(_ peer: SavePeer, _ set: SaveSetID) {
        // What was on its way while a set was left or taken back is no offence.
        guard sets[set].map({ $0.machine.sharers.contains(peer.id) || $0.machine.pause != nil }) != true else { return }
        services.note(SaveRefusal(.notPermitted), by: peer.id, in: nil)
    }

    /// Whether a peer was asked for history and has not answered.
    func awaitsHistory(from peer: SavePeer) -> Bool {
        sets.values.contains { $0.machine.peers.online[peer.id]?.isAsked == true }
    }

    func isSilent(_ peer: SavePeer) {
        for set in sets.values where set.sessions[peer.id] != nil { set.exchange.isSilent(peer) }
    }

    /// A peer was caught at what no set can be blamed for: nothing more is taken from it in this session.
    func caught(_ peer: SavePeer, _ refusal: SaveRefusal, at set: SaveSetName?) {
        services.note(refusal, by: peer.id, in: set)
        for kept in sets.values where kept.sessions[peer.id] != nil { kept.tell(.refused(peer.id, refusal)) }
        peer.hangUp()
    }
}
