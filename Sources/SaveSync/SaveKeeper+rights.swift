import Ledger
import LinuxPlatform
public import SaveRules
public import Session
import SessionRules
public import Vocabulary

/// Which machines may sync, and what follows when that changes.
extension SaveKeeper {
    /// A machine is online.
    public func sees(_ peer: PeerID) { connections.sees(peer) }

    /// Takes a session that another machine has opened to sync games, and returns when it has ended.
    public func take(_ session: Session, from peer: PeerID) async {
        await take(PairSession(session, with: peer), from: peer)
    }

    package func take(_ session: any SaveSession, from peer: PeerID) async {
        await connections.take(session, from: peer)
    }

    /// Waits until all machines that share a game and may be online in a moment are online, or are known not to come. They are dialed at once.
    /// - Returns: those that may still come, if that takes longer than the limit
    public func gather(_ id: SaveSetID, within limit: Duration) async throws -> [PeerID] {
        try await connections.gather(id, within: limit)
    }

    func shares(with peer: PeerID) -> Bool { sets.values.contains { $0.machine.partners.contains(peer) } }

    /// The user may have changed what a machine may do. What it may no longer do ends at once, and what it may do now begins.
    func looksAgain(at peer: PeerID) {
        services.crew.add { await self.household.looksAgain() }
        services.crew.add {
            let rights = await self.services.rights.lookUp(peer)
            guard rights == .mayExchange else {
                _ = self.services.rights.note(welcome: false, peer)
                // This includes a session that began while the ledger was asked, and was allowed before.
                self.connections.peers[peer]?.hangUp(because: .notPermitted)
                if rights == .unknown { await self.forgetSharer(peer) }
                return
            }
            await self.offerHouseholdGames(to: peer)
            // While it was not allowed to sync it could offer nothing.
            guard self.services.rights.note(welcome: true, peer) || self.shares(with: peer) else { return }
            self.connections.connect(
                to: peer,
                after: Topology.waitBeforeDialling(from: self.services.node.id, to: peer)
            )
        }
    }

    /// The rights of several machines may have changed, also of those that are offline.
    func looksAgainAtSharers() {
        services.crew.add { await self.household.looksAgain() }
        services.crew.add {
            for peer in Set(self.sets.values.flatMap(\.machine.peers.allowed))
            where await self.services.rights.lookUp(peer) == .unknown { await self.forgetSharer(peer) }
        }
    }

    /// A machine that the ledger has forgotten shares nothing.
    func forgetSharer(_ peer: PeerID) async {
        await changing.alone {
            for set in sets.values where set.machine.peers.allowed.contains(peer) {
                guard let sharers = try? await services.ledger.sharers(of: set.id).values, !sharers.contains(peer)
                else {
                    continue
                }
                set.handle(.peer(peer, .forgotten))
            }
        }
    }

    /// Offers the games that are shared with the household to a machine that has joined it. A game that a user took back from the machine stays
    /// taken back.
    func offerHouseholdGames(to peer: PeerID) async {
        for set in sets.values where set.entry.audience == .household {
            // A user may forget the machine, or change the game's settings, while another game is offered.
            guard services.rights[peer] == .mayExchange, set.machine.isShared else { continue }
            guard !set.machine.peers.allowed.contains(peer), !set.machine.peers.revoked.contains(peer) else { continue }
            // A game whose folder is refused, or a full disk: `huddle share` says so, and offers it later.
            guard set.machine.problems.misplaced == nil else { continue }
            // The ledger shares it only with a machine that it still knows, in one step. Otherwise a machine that a user
            // forgets in this moment would come back as a sharer.
            guard (try? await services.ledger.introduce(peer, to: set.id)) == true else { continue }
            try? await isShared(set.id, with: peer)
        }
    }

    func offerHouseholdGames() async {
        guard sets.values.contains(where: { $0.entry.audience == .household }) else { return }
        for peer in (try? await services.ledger.peers().values) ?? []
        where await services.rights.mayExchange(with: peer.id) {
            await offerHouseholdGames(to: peer.id)
        }
    }
}
