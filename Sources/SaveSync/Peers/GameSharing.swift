import Session
import Ledger
public import LinuxPlatform
public import SaveRules
import SessionRules
public import Vocabulary

/// The machines that a game is shared with, as users decide, and the steps that follow when their rights change.
@Engine
public final class GameSharing {
    private let services: SaveServices
    private let games: GameRegistry
    private let sessions: GameSessions

    init(_ services: SaveServices, _ games: GameRegistry, _ sessions: GameSessions) {
        (self.services, self.games, self.sessions) = (services, games, sessions)
    }

    /// Shares a game with a machine.
    public func offer(_ id: SaveSetID, to peer: PeerID) async throws {
        if let refusal = try games.game(id).machine.problems.misplaced { throw refusal }
        try await services.ledger.sharing.share(id, with: peer)
        try await isShared(id, with: peer)
    }

    /// Revokes a machine's right to a game, even if other machines say that they share it with both. The machine keeps
    /// the versions that it has.
    public func withdraw(_ id: SaveSetID, from peer: PeerID) async throws {
        // A message of another machine may be about to share the game with the peer. Its handler must see that a user
        // revokes that.
        let before = try games.game(id).machine.peers.revoked
        try games.game(id).handle(.peer(peer, .revoking))
        do {
            try await services.ledger.sharing.share(id, with: peer, false)
        } catch {
            if !before.contains(peer) { games[id]?.handle(.peer(peer, .notRevoked)) }
            throw error
        }
        let set = try games.game(id)
        set.handle(.peer(peer, .revoked))
        set.exchange.parts(from: peer)
        sessions.connections.peers[peer]?.withdraw(id)
        try await services.ledger.note("save-set-withdrawn", about: peer, [.init("set", set.entry.name.description)])
    }

    /// The id of a game by its name, if it is shared with a machine.
    /// - Throws: the same error if there is no such game and if the machine does not share it
    public func game(named name: SaveSetName, sharedWith peer: PeerID) throws(SaveSyncError) -> SaveSetID {
        guard let set = games.all.first(where: { $0.entry.name == name }), set.machine.sharers.contains(peer) else {
            throw .notShared(name)
        }
        return set.id
    }

    /// Handles a machine with which the ledger shares a game from now on.
    func isShared(_ id: SaveSetID, with peer: PeerID) async throws {
        // The user may have stopped sharing it meanwhile.
        let set = try games.game(id)
        set.handle(.peer(peer, .shared))
        try await services.ledger.note("save-set-shared", about: peer, [.init("set", set.entry.name.description)])
        // A user may have forgotten the machine meanwhile, when it did not share the game yet.
        if await services.rights.lookUp(peer) == .unknown { await forgetSharer(peer) }
        guard set.machine.isShared, set.machine.peers.allowed.contains(peer) else { return }
        sessions.spread(set)
        if let there = sessions.connections.peers[peer], there.offered.contains(id) { set.exchange.meets(there) }
    }

    // MARK: Rights

    /// Looks up the rights of a machine after a user may have changed them. Work that it may no longer do ends at once,
    /// and work that it may do now begins.
    func looksAgain(at peer: PeerID) {
        services.tasks.add { await self.sessions.household.looksAgain() }
        services.tasks.add {
            let (rights, connections) = (await self.services.rights.lookUp(peer), self.sessions.connections)
            guard rights == .mayExchange else {
                _ = self.services.rights.note(welcome: false, peer)
                // This also ends a session that began while the ledger was asked. The machine was still allowed to
                // begin it.
                connections.peers[peer]?.hangUp(because: .notPermitted)
                if rights == .unknown { await self.forgetSharer(peer) }
                return
            }
            await self.offerHouseholdGames(to: peer)
            // The machine could offer nothing while it was not allowed to sync.
            guard self.services.rights.note(welcome: true, peer) || self.sessions.shares(with: peer) else { return }
            connections.connect(
                to: peer,
                after: Topology.waitBeforeDialling(from: self.services.node.id, to: peer)
            )
        }
    }

    /// Looks up the rights of several machines after they may have changed, also of those that are offline.
    func looksAgainAtSharers() {
        services.tasks.add { await self.sessions.household.looksAgain() }
        services.tasks.add {
            for peer in Set(self.games.all.flatMap(\.machine.peers.allowed))
            where await self.services.rights.lookUp(peer) == .unknown { await self.forgetSharer(peer) }
        }
    }

    /// Removes a machine that the ledger has forgotten from all games.
    private func forgetSharer(_ peer: PeerID) async {
        await games.changing.alone {
            for set in games.all where set.machine.peers.allowed.contains(peer) {
                guard let sharers = try? await services.ledger.sharing.sharers(of: set.id).values,
                    !sharers.contains(peer)
                else {
                    continue
                }
                set.handle(.peer(peer, .forgotten))
            }
        }
    }

    // MARK: The household

    /// Offers the games that are shared with the household to a machine that has joined it. A game that a user revoked
    /// from the machine stays revoked.
    func offerHouseholdGames(to peer: PeerID) async {
        for set in games.all where set.entry.audience == .household {
            // A user may forget the machine, or change the game's settings, while another game is offered.
            guard services.rights[peer] == .mayExchange, set.machine.isShared else { continue }
            guard !set.machine.peers.allowed.contains(peer), !set.machine.peers.revoked.contains(peer) else { continue }
            // The folder of a game may be refused, or the disk full. `huddle share` reports that, and offers the game
            // later.
            guard set.machine.problems.misplaced == nil else { continue }
            // In one step, the ledger shares the game only with a machine that it still knows. Otherwise a machine that
            // a user forgets in this moment would come back as a sharer.
            guard (try? await services.ledger.sharing.introduce(peer, to: set.id)) == true else { continue }
            try? await isShared(set.id, with: peer)
        }
    }

    func offerHouseholdGames() async {
        guard games.all.contains(where: { $0.entry.audience == .household }) else { return }
        for peer in (try? await services.ledger.peers().values) ?? []
        where await services.rights.mayExchange(with: peer.id) {
            await offerHouseholdGames(to: peer.id)
        }
    }
}
