import GameState
public import Ledger
public import LinuxPlatform
public import SaveRules
import Session
public import Vocabulary

/// The games that this machine adds, joins and stops sharing, and the offers of other machines.
@Engine
public final class GameJoining {
    private let services: SaveServices
    private let games: GameRegistry
    private let sessions: GameSessions
    private let loader: SaveSetLoader
    private let pausing: Pausing

    init(
        _ services: SaveServices,
        _ games: GameRegistry,
        _ sessions: GameSessions,
        _ loader: SaveSetLoader,
        _ pausing: Pausing
    ) {
        (self.services, self.games, self.sessions) = (services, games, sessions)
        (self.loader, self.pausing) = (loader, pausing)
    }

    /// The games that machines offer and that are not shared here, and those that this machine has left and whose
    /// versions are still stored. This machine itself offers the latter if no other does.
    public func offers() async throws -> [OfferedSet] {
        let all = try await services.ledger.sharing.offeredSets().values.filter { games[$0.offer.set] == nil }
        let elsewhere = Set(all.filter { $0.peer != services.node.id }.map(\.offer.set))
        return all.filter { $0.peer != services.node.id || !elsewhere.contains($0.offer.set) }
    }

    // MARK: Adding

    /// Adds a folder, or the chosen files in it, as a game, and stores its first version.
    /// - Parameters:
    ///   - path: an absolute path
    ///   - set: its id; nil for a random one
    ///   - change: settings, before anything is read
    @discardableResult
    public func add(
        _ name: SaveSetName,
        at path: String,
        as set: SaveSetID? = nil,
        _ change: (inout SaveSetEntry) throws -> Void = { _ in }
    ) async throws -> SaveSetID {
        var numbers = RandomNumbers()
        var entry = SaveSetEntry(set ?? .random(using: &numbers), named: name, at: path)
        try change(&entry)
        try await enter(entry)
        services.node.audit("save-set-added", about: nil, [.init("set", name.description)])
        return entry.id
    }

    // MARK: Joining

    /// Joins a game that a machine offers. The files at the path are stored first. If they differ from the version that
    /// arrives, that is a conflict, and nothing is overwritten.
    /// - Parameters:
    ///   - set: the game
    ///   - path: its folder here
    ///   - name: its name here; nil for the name in the offer
    ///   - peer: the machine whose offer the user has chosen: its proposals for settings count, and it shares the game
    ///     again if that was revoked. Nil for the proposals of any machine
    public func join(
        _ set: SaveSetID,
        at path: String,
        named name: SaveSetName? = nil,
        from peer: PeerID? = nil,
        _ change: (inout SaveSetEntry) throws -> Void = { _ in }
    ) async throws {
        // If this machine is leaving the game, that ends first.
        await games.changing.alone {}
        let offers = try await offers().filter { $0.offer.set == set }
        let proposed = offers.first { peer == nil || $0.peer == peer }?.offer
        // The notes of this machine from when it left the game count beside the offers of others.
        let left = try await services.ledger.sharing.left(set, by: services.node.id)
        let sharers = try await sharers(of: set, by: offers + (left.map { [$0] } ?? []), chosen: peer)
        let keptCount = try await services.store.kept(of: set).count
        // Nothing is awaited from here until `enter` notes the game in `entering`. So only one of two joins at the same
        // time succeeds.
        guard let first = proposed, games[set] == nil, games.entering[set] == nil else {
            throw SaveSyncError.notOffered(name?.description ?? set.description)
        }
        var entry = SaveSetEntry(set, named: name ?? first.name, at: path)
        // These include the patterns that count on this machine only.
        let more = left?.offer.ignored.meantLines.filter { !first.ignored.meantLines.contains($0) } ?? []
        let proposals = first.ignored.meantLines
        entry.scope.ignored = try (try? PathPatterns(proposals + more)) ?? PathPatterns(proposals)
        entry.chosen = first.chosen
        entry.rules = first.rules.flatMap { (try? GameRules(parsing: $0)) == nil ? nil : $0 }
        // All versions that are stored stay, whatever the settings said when the game was left.
        entry.retention = RetentionRule(count: max(entry.retention.count, keptCount))
        if let audience = left?.audience { entry.audience = audience }
        try change(&entry)
        try await enter(entry, with: sharers)
        services.node.audit("save-set-joined", about: peer ?? sharers.first, [.init("set", entry.name.description)])
        // Others may have joined meanwhile: an offer of such a machine, or one that names it, came before this machine
        // had the game.
        let offersNow = try await services.ledger.sharing.offeredSets().values.filter { $0.offer.set == set }
        try await services.ledger.sharing.removeOffer(of: set)
        guard let kept = games[set] else { return }
        sessions.resume(kept)
        for offer in offersNow where sessions.connections.peers[offer.peer]?.offered.contains(set) == true {
            guard let kept = games[set] else { return }
            await sessions.introduce([offer.peer] + offer.offer.fellows, to: kept)
        }
    }

    /// The machines that offer a game, and those that shared it when this machine left it. A machine from which it was
    /// revoked counts only if the user has chosen its offer.
    private func sharers(
        of set: SaveSetID,
        by offers: [OfferedSet],
        chosen: PeerID?
    ) async throws -> [PeerID] {
        let withdrawn = try await services.ledger.sharing.withdrawals(of: set).values.filter { $0 != chosen }
        var sharers: [PeerID] = []
        for offered in offers {
            guard offered.peer == services.node.id else {
                sharers.append(offered.peer)
                continue
            }
            for fellow in offered.offer.fellows where await services.rights.mayExchange(with: fellow) {
                sharers.append(fellow)
            }
        }
        return sharers.filter { !withdrawn.contains($0) }
    }

    private func enter(_ entry: SaveSetEntry, with sharers: [PeerID] = []) async throws {
        do { try entry.checkSyntax() } catch { throw try await games.misplacement(ofNew: entry) ?? error }
        // Another game may be added while the disk is asked.
        games.entering[entry.id] = entry
        defer { games.entering[entry.id] = nil }
        if let refusal = try await games.misplacement(ofNew: entry) { throw refusal }
        let withdrawn = try await services.ledger.sharing.withdrawals(of: entry.id).values.filter(sharers.contains)
        try await services.ledger.saveSets.put(entry)
        do {
            for peer in sharers { try await services.ledger.sharing.share(entry.id, with: peer) }
            let set = try await games.add(entry, loader.record(of: entry), sessions)
            // This machine may have left it before.
            try await set.set.atWorker { try await $0.startFresh(set.place) }
            // The files here are stored before any version comes from elsewhere.
            try await set.work.alone { try await set.steps.readSaved() }
            games.begin(set)
        } catch {
            games.forget(entry.id)
            try await services.ledger.saveSets.remove(entry.id)
            services.store.shelf.forget()
            // Machines from which the game was revoked before stay revoked.
            for peer in withdrawn { try await services.ledger.sharing.share(entry.id, with: peer, false) }
            throw error
        }
    }

    // MARK: Leaving

    /// Stops sharing a game. The folder stays as it is, and so do the stored versions: a user who joins it again has
    /// them all. Its downloads end.
    public func leave(_ id: SaveSetID) async throws {
        try await games.changing.alone {
            let set = try games.game(id)
            try await set.set.requireDisk()
            // Nothing changes unless the ledger can note it first.
            if !set.machine.heads.held.isEmpty {
                var entry = set.entry
                // Patterns of this machine alone must not travel to others when it joins again.
                let own = entry.scope.ignored.lines + entry.scope.local.lines
                entry.scope.ignored = (try? PathPatterns(own)) ?? entry.scope.ignored
                // If the folder may have this machine's key, a join later does not share it with other machines by
                // itself.
                let fellows =
                    set.machine.isPrivate ? [] : set.machine.peers.allowed.subtracting(set.machine.peers.revoked)
                let noted = SaveOffer(of: entry, to: fellows)
                try await services.ledger.sharing.noteLeft(
                    noted,
                    by: services.node.id,
                    in: entry.path,
                    for: entry.audience
                )
            }
            try await services.ledger.saveSets.remove(id)
            services.store.shelf.forget()
            set.note("save-set-left")
            games.forget(id)
            await games.stop(set)
            // Also withdraws it from machines that were offered it and have not joined.
            for peer in sessions.connections.peers.values where peer.listed.contains(id) { peer.withdraw(id) }
            await set.isLeft()
            try? await pausing.change { $0.resume(id) }
        }
    }
}
