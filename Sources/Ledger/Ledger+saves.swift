import Database
public import SaveRules
public import Vocabulary

// MARK: - Sets

extension Ledger {
    /// All save sets of this machine, sorted by name.
    public func saveSets() throws(LedgerError) -> Listed<SaveSetEntry> {
        try database.rows("SELECT * FROM save_sets ORDER BY name", read: SaveSetEntry.init)
    }

    /// The ids of this machine's save sets, also of those whose entries can't be understood.
    public func saveSetIDs() throws(LedgerError) -> Set<SaveSetID> {
        Set(
            try database.rows("SELECT id FROM save_sets") { row throws(UnreadableValue) -> SaveSetID in
                try row.id("id")
            }.values
        )
    }

    /// Adds a set, or changes the settings of an existing one.
    /// - Throws: `ledger.save-set-name-taken` if another set has the name
    public func put(_ set: SaveSetEntry) throws(LedgerError) {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            let namesake = try database.row(
                "SELECT id FROM save_sets WHERE name = ? AND id <> ?",
                .text(set.name.description),
                SQLValue(set.id)
            ) { row throws(UnreadableValue) in try row.bytes("id") }
            guard namesake == nil else { throw .nameTaken(set.name) }
            try database.run(
                """
                INSERT INTO save_sets (id, name, path, chosen, ignored, local, rules, settle_milliseconds, program,
                    keep_count, keep_seconds, keep_bytes, applied, used_counter, audience)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, path = excluded.path,
                    chosen = excluded.chosen,
                    ignored = excluded.ignored, local = excluded.local, rules = excluded.rules,
                    settle_milliseconds = excluded.settle_milliseconds, program = excluded.program,
                    keep_count = excluded.keep_count, keep_seconds = excluded.keep_seconds,
                    keep_bytes = excluded.keep_bytes, audience = excluded.audience
                """,
                SQLValue(set.id),
                .text(set.name.description),
                .text(set.path),
                set.chosen?.column ?? .null,
                set.scope.ignored.column,
                set.scope.local.column,
                SQLValue(set.rules),
                .integer(Int64(set.settleMilliseconds)),
                SQLValue(set.program),
                .integer(Int64(set.retention.count)),
                SQLValue(set.retention.age?.components.seconds),
                SQLValue(set.retention.space.map { Int64(clamping: $0) }),
                .bytes(set.applied?.bytes),
                .integer(Int64(clamping: set.usedCounter)),
                .text(set.audience.rawValue)
            )
        }
    }

    /// Stores the snapshot that the folder holds and the last used number. The caller does this before it sends
    /// anything that depends on them.
    /// - Parameter change: a change of the snapshots that are here in full, or nil
    public func setStanding(
        of set: SaveSetID,
        applied: SnapshotID?,
        usedCounter: UInt64,
        _ change: HeldChange? = nil
    ) throws(LedgerError) {
        try write(.promised) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_sets SET applied = ?, used_counter = max(used_counter, ?) WHERE id = ?",
                .bytes(applied?.bytes),
                .integer(Int64(clamping: usedCounter)),
                SQLValue(set)
            )
            if let change { try note(change, of: set) }
        }
    }

    /// Stores whether a folder has lost its files and the user has not decided yet.
    public func noteEmptied(_ isEmptied: Bool, _ set: SaveSetID) throws(LedgerError) {
        try write(.promised) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_sets SET is_emptied = ? WHERE id = ?",
                .integer(isEmptied ? 1 : 0),
                SQLValue(set)
            )
        }
    }

    /// Returns true if a folder has lost its files and the user has not decided yet.
    public func isEmptied(_ set: SaveSetID) throws(LedgerError) -> Bool {
        try database.row("SELECT is_emptied FROM save_sets WHERE id = ?", SQLValue(set)) {
            row throws(UnreadableValue) in try row.integer("is_emptied") == 1
        } ?? false
    }

    /// Deletes a set with its snapshots and sharers. Its folder stays unchanged. Returns true if the set was there.
    @discardableResult
    public func removeSaveSet(_ set: SaveSetID) throws(LedgerError) -> Bool {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            let before = database.changeCount
            try database.run("DELETE FROM save_sets WHERE id = ?", SQLValue(set))
            return database.changeCount != before
        }
    }
}

// MARK: - Snapshots

extension Ledger {
    /// Stores the reason why a snapshot is not applied to the folder; nil if there is none.
    public func setRefusal(
        _ reason: String?,
        of snapshot: SnapshotID,
        in set: SaveSetID
    ) throws(LedgerError) {
        try write(.promised) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_snapshots SET refusal = ? WHERE save_set = ? AND id = ?",
                SQLValue(reason),
                SQLValue(set),
                .bytes(snapshot.bytes)
            )
        }
    }

    /// Stores which snapshots of a set miss pieces that were discarded as damaged.
    public func setLacking(_ snapshots: Set<SnapshotID>, of set: SaveSetID) throws(LedgerError) {
        try write(.promised) { database throws(LedgerError) in
            let before = try database.rows(
                "SELECT id FROM save_snapshots WHERE save_set = ? AND is_lacking = 1",
                SQLValue(set)
            ) { row throws(UnreadableValue) in try row.bytes("id") }
            // There may be many incomplete snapshots, and few of them change at a time.
            let (were, are) = (Set(before.values), Set(snapshots.map(\.bytes)))
            for id in were.symmetricDifference(are) {
                try database.run(
                    "UPDATE save_snapshots SET is_lacking = ? WHERE save_set = ? AND id = ?",
                    .integer(are.contains(id) ? 1 : 0),
                    SQLValue(set),
                    .bytes(id)
                )
            }
        }
    }
}

// MARK: - Sharing

extension Ledger {
    /// The number of sets that one peer may offer. The oldest offer is deleted.
    public static let offerLimit = 256

    /// The peers that a set is shared with, by ascending id.
    public func sharers(of set: SaveSetID) throws(LedgerError) -> Listed<PeerID> {
        try database.rows("SELECT peer FROM save_sharers WHERE save_set = ? ORDER BY peer", SQLValue(set)) {
            row throws(UnreadableValue) in try row.peer("peer")
        }
    }

    /// The peers from which the user has revoked a set.
    public func withdrawals(of set: SaveSetID) throws(LedgerError) -> Listed<PeerID> {
        try database.rows("SELECT peer FROM save_withdrawals WHERE save_set = ? ORDER BY peer", SQLValue(set)) {
            row throws(UnreadableValue) in try row.peer("peer")
        }
    }

    /// Shares a set with a peer, or revokes it, which lasts until the user shares it again.
    public func share(_ set: SaveSetID, with peer: PeerID, _ isShared: Bool = true) throws(LedgerError) {
        let statements: [StaticString] =
            isShared
            ? [
                "INSERT INTO save_sharers (save_set, peer) VALUES (?, ?) ON CONFLICT DO NOTHING",
                "DELETE FROM save_withdrawals WHERE save_set = ? AND peer = ?",
            ]
            : [
                "INSERT INTO save_withdrawals (save_set, peer) VALUES (?, ?) ON CONFLICT DO NOTHING",
                "DELETE FROM save_sharers WHERE save_set = ? AND peer = ?",
            ]
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            for statement in statements { try database.run(statement, SQLValue(set), SQLValue(peer)) }
        }
    }

    /// The newest versions that each sharer last said to hold. Leaves out machines that never took part.
    public func named(of set: SaveSetID) throws(LedgerError) -> [PeerID: [SnapshotID]] {
        let rows = try database.rows(
            "SELECT peer, heads FROM save_sharers WHERE save_set = ? AND heads IS NOT NULL",
            SQLValue(set)
        ) { row throws(UnreadableValue) in (try row.peer("peer"), try row.optionalBytes("heads") ?? []) }
        return Dictionary(rows.values.map { ($0, Self.ids($1) ?? []) }) { first, _ in first }
    }

    /// Stores the newest versions that a sharer says to hold; nil if it no longer takes part. The machine repeats this
    /// at each connection, so a power cut may lose it.
    public func noteNamed(_ heads: [SnapshotID]?, by peer: PeerID, of set: SaveSetID) throws(LedgerError) {
        try write(.casual) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_sharers SET heads = ? WHERE save_set = ? AND peer = ?",
                .bytes(heads.map { $0.flatMap(\.bytes) }),
                SQLValue(set),
                SQLValue(peer)
            )
        }
    }

    /// Shares a set with a peer that another sharer has named. This needs a pinned peer with the policy `accept`, from
    /// which the user has not revoked the set: another machine's word never overrides a decision of the user.
    ///
    /// - Returns: true if the set is shared with the peer now
    public func introduce(_ peer: PeerID, to set: SaveSetID) throws(LedgerError) -> Bool {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            let known = try self.peer(peer)
            guard known?.isPinned == true, known?.policy == .accept,
                try !self.withdrawals(of: set).values.contains(peer)
            else { return false }
            try database.run(
                "INSERT INTO save_sharers (save_set, peer) VALUES (?, ?) ON CONFLICT DO NOTHING",
                SQLValue(set),
                SQLValue(peer)
            )
            return true
        }
    }

    /// The sets that peers offer and that this machine has not joined, the oldest first.
    public func offeredSets() throws(LedgerError) -> Listed<OfferedSet> {
        try database.rows("SELECT * FROM save_offers ORDER BY number", read: OfferedSet.init)
    }

    /// Stores a peer's offer. Returns true if it is new.
    public func noteOffer(
        _ offer: SaveOffer,
        from peer: PeerID,
        at time: WallTime = .now
    ) throws(LedgerError) -> Bool {
        try write(.promised) { database throws(LedgerError) in
            let known = try database.row(
                "SELECT number FROM save_offers WHERE peer = ? AND save_set = ?",
                SQLValue(peer),
                SQLValue(offer.set)
            ) { row throws(UnreadableValue) in try row.integer("number") }
            try put(offer, of: peer, at: time)
            try database.run(
                """
                DELETE FROM save_offers WHERE peer = ?1 AND number NOT IN
                    (SELECT number FROM save_offers WHERE peer = ?1 ORDER BY number DESC LIMIT ?2)
                """,
                SQLValue(peer),
                .integer(Int64(Self.offerLimit))
            )
            return known == nil
        }
    }

    /// Stores the description of a set that this machine has left. There is no limit to their number.
    /// - Parameters:
    ///   - own: this machine's id, under which the offers of left sets are stored
    ///   - folder: the set's folder here
    public func noteLeft(
        _ offer: SaveOffer,
        by own: PeerID,
        in folder: String?,
        for audience: SaveSetEntry.Audience? = nil,
        at time: WallTime = .now
    ) throws(LedgerError) {
        try write(.promised, isCopied: true) { _ throws(LedgerError) in
            try put(offer, of: own, in: folder, for: audience, at: time)
        }
    }

    private func put(
        _ offer: SaveOffer,
        of peer: PeerID,
        in folder: String? = nil,
        for audience: SaveSetEntry.Audience? = nil,
        at time: WallTime
    ) throws(LedgerError) {
        try database.run(
            """
            INSERT INTO save_offers (peer, save_set, offer, came_at, folder, audience) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (peer, save_set) DO UPDATE
            SET offer = excluded.offer, folder = excluded.folder, audience = excluded.audience
            """,
            SQLValue(peer),
            SQLValue(offer.set),
            .bytes(SaveMessage.offer(offer).encoded),
            SQLValue(time),
            SQLValue(folder),
            SQLValue(audience?.rawValue)
        )
    }

    /// Forgets a set that this machine has left, and the peers from which it was revoked.
    /// - Parameter own: this machine's id, under which the offers of left sets are stored
    public func forgetLeft(_ set: SaveSetID, by own: PeerID) throws(LedgerError) {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            for statement: StaticString in [
                "DELETE FROM save_offers WHERE save_set = ?1 AND peer = ?2",
                "DELETE FROM save_withdrawals WHERE save_set = ?1 AND ?2 IS NOT NULL",
            ] {
                try database.run(statement, SQLValue(set), SQLValue(own))
            }
        }
    }

    /// Forgets a peer's offer of a set; nil for the offers of all peers.
    public func removeOffer(of set: SaveSetID, from peer: PeerID? = nil) throws(LedgerError) {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            try database.run(
                "DELETE FROM save_offers WHERE save_set = ?1 AND (?2 IS NULL OR peer = ?2)",
                SQLValue(set),
                SQLValue(peer)
            )
        }
    }
}

extension LedgerError {
    fileprivate static func nameTaken(_ name: SaveSetName) -> LedgerError {
        LedgerError(
            "ledger.save-set-name-taken",
            "there is a save set called “\(name)” already",
            nextStep: "choose another name, or leave the other set first"
        )
    }
}

extension SQLValue {
    fileprivate static func bytes(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .bytes($0) } ?? .null }
}
