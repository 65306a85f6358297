import GameState
public import Ledger
import LinuxPlatform
public import SaveFolder
public import SaveRules
import Session
public import Vocabulary

/// What people do with sets.
extension SaveKeeper {
    /// How a set stands, for people and programs.
    public struct Report: Sendable {
        /// Its settings.
        public let entry: SaveSetEntry
        /// What is known of it.
        public var facts: GameFacts
        /// Speed of what comes here, and of what each machine fetches.
        public let paces: (here: FetchPace?, there: [PeerID: FetchPace])
        /// How its versions are.
        public let state: VersionState.State
        /// Whether a newer version was heard of that nobody who is there has.
        public let isNewerAway: Bool
        /// Whether a newer version is within reach and could not be kept here, as where the disk is full.
        public let isNewerUnkept: Bool
        /// Whether what is newest has come whole, and is put into the folder as soon as nothing uses it.
        public let waitsForGame: Bool
        /// Its newest versions; more than one in a conflict.
        public let heads: [Snapshot]
        /// What the folder shows.
        public let shown: Snapshot?
        /// In a conflict, this machine's side of it.
        public let ownSide: SnapshotID?
        /// How many versions are kept.
        public let versionCount: Int
        /// Who may have it, but for those who don't let this machine have it any more; nobody where what lies there is not to be shared.
        public let sharers: [PeerID]
        /// Who has it and is there.
        public let present: [PeerID]
        /// Who plays it elsewhere, and for how long.
        public let holder: PlayLease.Holder?
        /// A machine that was playing when the connection to it broke, and that has not said more since.
        public let cutOffPlayer: PeerID?
        /// Whether this machine plays it.
        public let isPlayed: Bool
        /// Who has had a file of it open for writing for so long that this counts as playing; in words.
        public let writer: String?
        /// Why what is newest is not put into the folder.
        public let quarantine: String?
        /// Why changes of the folder are not noticed at once.
        public let unwatched: (any ExplainedError)?
        /// What of its files is gone, as long as that is held back.
        public let emptied: EmptiedSave?
        /// What in its folder can't be part of it.
        public let leftOut: LeftOutFiles
        /// What keeps it from being read, kept, or put into its folder.
        public let trouble: SetProblem?
    }

    /// All sets, by name.
    public func reports() -> [Report] {
        sets.values.sorted { $0.entry.name < $1.entry.name }.map(report)
    }

    /// How one set stands.
    public func report(of set: SaveSetID) throws(SaveSyncError) -> Report { report(try self.set(set)) }

    private func report(_ set: SaveSetRunner) -> Report {
        Report(
            entry: set.entry,
            facts: set.facts(heldOff: connections.heldOff),
            paces: set.paces,
            state: [.empty, .level].contains(set.machine.heads.state) && set.machine.awaitsNewer
                ? .behind : set.machine.heads.state,
            isNewerAway: set.machine.isNewerAway,
            isNewerUnkept: set.machine.couldNotKeepNewer,
            waitsForGame: set.machine.waitsForGame,
            heads: set.machine.heads.heads.compactMap { set.machine.heads.graph[$0] },
            shown: set.machine.shown,
            ownSide: set.machine.heads.ownSide,
            versionCount: set.machine.heads.held.count,
            sharers: set.machine.isPrivate
                ? [] : set.machine.peers.allowed.subtracting(set.machine.peers.stopped).sorted(),
            present: set.sessions.keys.sorted(),
            holder: set.machine.play.lease.holder(at: .current),
            cutOffPlayer: set.machine.play.holder.cutOff.flatMap { set.isWaitedFor($0) ? $0 : nil },
            isPlayed: set.machine.play.lease.state == .held,
            writer: set.machine.play.games.writer.flatMap { $0.isGame ? $0.name : nil },
            quarantine: set.machine.heads.heads.compactMap { set.machine.quarantine[$0] }.first,
            unwatched: set.machine.problems.unwatched,
            emptied: set.machine.problems.emptied,
            leftOut: set.set.leftOut,
            trouble: set.problem
        )
    }

    /// Which set a person means, by its name or its id.
    public func find(_ typed: String) throws(SaveSyncError) -> SaveSetID {
        let found = sets.values.first { $0.entry.name.description == typed || $0.id.description == typed }
        guard let found else { throw .unknownSet(typed) }
        return found.id
    }

    /// Makes a save set of a folder, or of what is chosen in it, and keeps its first version.
    /// - Parameters:
    ///   - path: from the root on
    ///   - change: settings, before anything is read
    @discardableResult
    public func add(
        _ name: SaveSetName,
        at path: String,
        _ change: (inout SaveSetEntry) throws -> Void = { _ in }
    ) async throws -> SaveSetID {
        var numbers = RandomNumbers()
        var entry = SaveSetEntry(.random(using: &numbers), named: name, at: path)
        try change(&entry)
        try await enter(entry)
        services.node.audit("save-set-added", about: nil, [.init("set", name.description)])
        return entry.id
    }

    /// Takes up a set that a peer offers. What lies at the path is kept first; where it differs from what comes, that is a
    /// conflict, and nothing is overwritten.
    /// - Parameters:
    ///   - set: which set
    ///   - path: where it is to lie here
    ///   - name: what it is to be called here; nil for what it is called there
    ///   - peer: whose proposals for settings are taken, and who may have it again where it was taken back from it; nil for the proposals of
    ///     any who offers it
    public func join(
        _ set: SaveSetID,
        at path: String,
        named name: SaveSetName? = nil,
        from peer: PeerID? = nil,
        _ change: (inout SaveSetEntry) throws -> Void = { _ in }
    ) async throws {
        // Who is just leaving it does so to the end.
        await changing.alone {}
        let offers = try await offers().filter { $0.offer.set == set }
        let proposed = offers.first { peer == nil || $0.peer == peer }?.offer
        // What this machine has noted where it left the set counts beside what others offer.
        let left = try await services.ledger.offeredSets().values.first {
            $0.peer == services.node.id && $0.offer.set == set
        }
        let sharers = try await sharers(of: set, by: offers + (left.map { [$0] } ?? []), chosen: peer)
        let keptCount = try await services.store.kept(of: set).count
        // Nothing is waited for from here until others see that it is being entered: of two who join at once, one does.
        guard let first = proposed, sets[set] == nil, entering[set] == nil else {
            throw SaveSyncError.notOffered(name?.description ?? set.description)
        }
        var entry = SaveSetEntry(set, named: name ?? first.name, at: path)
        // Among them is what was this machine's own.
        let more = left?.offer.ignored.meantLines.filter { !first.ignored.meantLines.contains($0) } ?? []
        entry.scope.ignored = (try? PathPatterns(first.ignored.meantLines + more)) ?? first.ignored.meant
        entry.chosen = first.chosen
        entry.rules = first.rules.flatMap { (try? GameRules(parsing: $0)) == nil ? nil : $0 }
        // What was kept until now stays, whatever had been said of that when the set was left.
        entry.retention = RetentionRule(count: max(entry.retention.count, keptCount))
        if let audience = left?.audience { entry.audience = audience }
        try change(&entry)
        try await enter(entry, with: sharers)
        services.node.audit("save-set-joined", about: peer ?? sharers.first, [.init("set", entry.name.description)])
        try await services.ledger.removeOffer(of: set)
        guard let kept = sets[set] else { return }
        // First: what a peer answers to the offer must not come before it is met here, nor may it be met once more after that.
        let present = connections.peers.values.filter {
            kept.machine.sharers.contains($0.id) && $0.offered.contains(set)
        }
        for peer in present { kept.exchange.meets(peer) }
        spread(kept)
        for offer in offers where present.contains(where: { $0.id == offer.peer }) {
            guard let kept = sets[set] else { return }
            await introduce(offer.offer.fellows, to: kept)
        }
    }

    /// Those who offer it, and where this machine had left it, those who had part in it then. Not those from whom it was taken back, but for the one
    /// whose offer a person has chosen.
    private func sharers(
        of set: SaveSetID,
        by offers: [OfferedSet],
        chosen: PeerID?
    ) async throws -> [PeerID] {
        let withdrawn = try await services.ledger.withdrawals(of: set).values.filter { $0 != chosen }
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
        do { try checkSettings(entry) } catch { throw try await misplacementAnew(of: entry) ?? error }
        // Another may be about to enter while the disk is asked.
        entering[entry.id] = entry
        defer { entering[entry.id] = nil }
        if let refusal = try await misplacementAnew(of: entry) { throw refusal }
        let withdrawn = try await services.ledger.withdrawals(of: entry.id).values.filter(sharers.contains)
        try await services.ledger.put(entry)
        do {
            for peer in sharers { try await services.ledger.share(entry.id, with: peer) }
            let set = try await add(entry, known(of: entry))
            // It may have been here before, and left.
            try await set.set.atWorker { try await $0.beginAnew(set.place) }
            // Before anything can come from elsewhere, what is here is kept.
            try await set.work.alone { try await set.steps.readSaved() }
            begin(set)
        } catch {
            forget(entry.id)
            try await services.ledger.removeSaveSet(entry.id)
            services.store.shelf.forget()
            // From whom it was taken back, it still is.
            for peer in withdrawn { try await services.ledger.share(entry.id, with: peer, false) }
            throw error
        }
    }

    /// Why a game can't lie in its folder, if it is new there.
    func misplacementAnew(of entry: SaveSetEntry) async throws -> SaveSyncError? {
        // Games that are entered later find this one.
        let others = (sets.values.map(\.entry) + entering.values).filter { $0.id != entry.id }
        return try await services.placement.misplacement(
            of: entry,
            beside: others.map { ($0, sets[$0.id]?.set.isDiskSilent == true) }
        )
    }

    func checkSettings(_ entry: SaveSetEntry) throws {
        guard entry.path.hasPrefix("/") else { throw SaveSyncError.notAbsolute }
        if let rules = entry.rules {
            guard rules.utf8.count <= SaveOffer.maximumRulesByteCount else {
                let limit = ByteCount(UInt64(SaveOffer.maximumRulesByteCount))
                throw SaveSyncError.unreadableRules("they have more than \(limit)")
            }
            do throws(StateError) { _ = try GameRules(parsing: rules) } catch {
                throw SaveSyncError.unreadableRules(error.message)
            }
        }
    }

    /// Lets a peer have a set.
    public func offer(_ id: SaveSetID, to peer: PeerID) async throws {
        if let refusal = try set(id).machine.problems.misplaced { throw refusal }
        try await services.ledger.share(id, with: peer)
        try await isShared(id, with: peer)
    }

    /// The ledger shares a set with a peer from now on.
    func isShared(_ id: SaveSetID, with peer: PeerID) async throws {
        // Its settings may have changed meanwhile, or it was left.
        let set = try set(id)
        set.handle(.peer(peer, .shared))
        try await services.ledger.note("save-set-shared", about: peer, [.init("set", set.entry.name.description)])
        // A person may have forgotten the machine meanwhile, when it was no sharer yet.
        if await services.rights.lookUp(peer) == .unknown { await forgetSharer(peer) }
        guard set.machine.isShared, set.machine.peers.allowed.contains(peer) else { return }
        spread(set)
        if let there = connections.peers[peer], there.offered.contains(id) { set.exchange.meets(there) }
    }

    /// Lets a peer have a set no more, whatever others say who share it with both. What it has of it, it keeps.
    public func withdraw(_ id: SaveSetID, from peer: PeerID) async throws {
        // Who is just about to let it have the set because another says so sees that this was taken back.
        let before = try set(id).machine.peers.revoked
        try set(id).handle(.peer(peer, .revoking))
        do {
            try await services.ledger.share(id, with: peer, false)
        } catch {
            if !before.contains(peer) { sets[id]?.handle(.peer(peer, .notRevoked)) }
            throw error
        }
        let set = try set(id)
        set.handle(.peer(peer, .revoked))
        set.exchange.parts(from: peer)
        connections.peers[peer]?.withdraw(id)
        try await services.ledger.note("save-set-withdrawn", about: peer, [.init("set", set.entry.name.description)])
    }
}
