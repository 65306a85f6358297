import GameState
public import History
public import Ledger
public import SaveRules
import Session
public import Vocabulary

/// Sets that are not here: what peers offer, and what this machine has left.
extension SaveKeeper {
    /// What nobody has taken up: what peers offer, and the sets that were left here, whose versions are still kept. Those are offered by this machine
    /// itself, where nobody else does.
    public func offers() async throws -> [OfferedSet] {
        let all = try await services.ledger.offeredSets().values.filter { sets[$0.offer.set] == nil }
        let elsewhere = Set(all.filter { $0.peer != services.node.id }.map(\.offer.set))
        return all.filter { $0.peer != services.node.id || !elsewhere.contains($0.offer.set) }
    }

    /// Has no more to do with a set. The folder stays as it is, and so do the versions that were kept: who joins it anew has them all. What was on its
    /// way is given up.
    public func leave(_ id: SaveSetID) async throws {
        try await changing.alone {
            let set = try set(id)
            try await requireDisk(of: set)
            // What can't be noted down is not begun.
            if !set.machine.heads.held.isEmpty {
                var entry = set.entry
                // What was this machine's own is not to be carried where it is joined again.
                let own = entry.scope.ignored.lines + entry.scope.local.lines
                entry.scope.ignored = (try? PathPatterns(own)) ?? entry.scope.ignored
                // What may hold this machine's key comes back to nobody else by itself.
                let fellows =
                    set.machine.isPrivate ? [] : set.machine.peers.allowed.subtracting(set.machine.peers.revoked)
                let noted = offer(of: entry, to: fellows)
                try await services.ledger.noteLeft(noted, by: services.node.id, in: entry.path, for: entry.audience)
            }
            try await services.ledger.removeSaveSet(id)
            services.store.shelf.forget()
            set.note("save-set-left")
            forget(id)
            await stop(set)
            // Also from who was offered it and has not taken it up.
            for peer in connections.peers.values where peer.hasHeard(of: id) { peer.withdraw(id) }
            await set.isLeft()
            try? await pausing.change { $0.resume(id) }
        }
    }

    /// What is said of a set to those who may have it.
    func offer(of entry: SaveSetEntry, to fellows: Set<PeerID>) -> SaveOffer {
        SaveOffer(
            entry.id,
            named: entry.name,
            ignored: entry.scope.ignored,
            chosen: entry.chosen,
            // An earlier program took larger ones.
            rules: entry.rules.flatMap { $0.utf8.count > SaveOffer.maximumRulesByteCount ? nil : $0 },
            fellows: fellows
        )
    }

    /// Drops what need not stay, and frees what it took.
    /// - Parameter left: whether also what was kept of sets that this machine has left goes
    @discardableResult
    public func cleanUp(alsoLeft left: Bool = false) async throws -> GarbageReport {
        if left { try await changing.alone { try await dropLeft() } }
        // Of what is left meanwhile there is nothing to drop.
        await withEachSet { id in _ = try? await self.alone(id) { await $0.pruner.dropOld() } }
        return try await services.maintenance.collect()
    }

    private func dropLeft() async throws {
        let noted = try await services.ledger.offeredSets().values.filter { $0.peer == services.node.id }.map(
            \.offer.set
        )
        // What could not be noted down is none of this machine's sets either.
        for set in try await services.store.sets().union(noted).subtracting(try await services.ledger.saveSetIDs()) {
            // Somebody may just be joining it.
            guard sets[set] == nil, entering[set] == nil else { continue }
            try await services.store.drop(allOf: set)
            try await services.ledger.forgetLeft(set, by: services.node.id)
        }
    }
}
