import Database
public import SaveRules
public import Vocabulary

// MARK: - Sets

extension Ledger {
    /// All save sets of this machine, by name.
    public func saveSets() throws(LedgerError) -> Listed<SaveSetEntry> {
        try database.rows("SELECT * FROM save_sets ORDER BY name", read: SaveSetEntry.init)
    }

    /// Which save sets this machine has, also those of which nothing else can be understood.
    public func saveSetIDs() throws(LedgerError) -> Set<SaveSetID> {
        Set(
            try database.rows("SELECT id FROM save_sets") { row throws(UnreadableValue) -> SaveSetID in
                try row.id("id")
            }.values
        )
    }

    /// Enters a set, or changes the settings of one that is there.
    /// - Throws: `ledger.save-set-name-taken` where another set has the name
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
                    keep_count, keep_seconds, keep_bytes, applied, used_counter)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, path = excluded.path,
                    chosen = excluded.chosen,
                    ignored = excluded.ignored, local = excluded.local, rules = excluded.rules,
                    settle_milliseconds = excluded.settle_milliseconds, program = excluded.program,
                    keep_count = excluded.keep_count, keep_seconds = excluded.keep_seconds,
                    keep_bytes = excluded.keep_bytes
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
                .integer(Int64(clamping: set.usedCounter))
            )
        }
    }

    /// Keeps what the folder shows and which number was used last, before anything that depends on it leaves the machine.
    /// - Parameter change: what else has changed about where the set is; nil if nothing has
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

    /// Keeps whether a folder has lost its files, and a person has not decided yet.
    public func noteEmptied(_ isEmptied: Bool, _ set: SaveSetID) throws(LedgerError) {
        try write(.promised) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_sets SET is_emptied = ? WHERE id = ?",
                .integer(isEmptied ? 1 : 0),
                SQLValue(set)
            )
        }
    }

    /// Whether a folder has lost its files, and a person has not decided yet.
    public func isEmptied(_ set: SaveSetID) throws(LedgerError) -> Bool {
        try database.row("SELECT is_emptied FROM save_sets WHERE id = ?", SQLValue(set)) {
            row throws(UnreadableValue) in try row.integer("is_emptied") == 1
        } ?? false
    }

    /// Forgets a set and all that is known of it. Its folder stays as it is. Answers whether it was there.
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
    /// Keeps why a snapshot is not put into the folder; nil where nothing speaks against it any more.
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

    /// Keeps of which snapshots something was given up as damaged, and of no others.
    public func setLacking(_ snapshots: Set<SnapshotID>, of set: SaveSetID) throws(LedgerError) {
        try write(.promised) { database throws(LedgerError) in
            let before = try database.rows(
                "SELECT id FROM save_snapshots WHERE save_set = ? AND is_lacking = 1",
                SQLValue(set)
            ) { row throws(UnreadableValue) in try row.bytes("id") }
            // Many may lack something, and they come one by one.
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

// MARK: - Who has part in what

extension Ledger {
    /// How many sets one other peer may offer; the oldest gives way.
    public static let offerLimit = 256

    /// Who may have a set, by ascending id.
    public func sharers(of set: SaveSetID) throws(LedgerError) -> Listed<PeerID> {
        try database.rows("SELECT peer FROM save_sharers WHERE save_set = ? ORDER BY peer", SQLValue(set)) {
            row throws(UnreadableValue) in try row.peer("peer")
        }
    }

    /// Those whom a person has let have a set, and does not any more.
    public func withdrawals(of set: SaveSetID) throws(LedgerError) -> Listed<PeerID> {
        try database.rows("SELECT peer FROM save_withdrawals WHERE save_set = ? ORDER BY peer", SQLValue(set)) {
            row throws(UnreadableValue) in try row.peer("peer")
        }
    }

    /// Lets a peer have a set, or no more, which stays so until it is let have it again.
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

    /// Newest versions that each sharer said last to hold. A machine that never took part is not in it.
    public func named(of set: SaveSetID) throws(LedgerError) -> [PeerID: [SnapshotID]] {
        let rows = try database.rows(
            "SELECT peer, heads FROM save_sharers WHERE save_set = ? AND heads IS NOT NULL",
            SQLValue(set)
        ) { row throws(UnreadableValue) in (try row.peer("peer"), try row.optionalBytes("heads") ?? []) }
        return Dictionary(rows.values.map { ($0, Self.ids($1) ?? []) }) { first, _ in first }
    }

    /// Keeps what a sharer says to hold; nil if it takes part no longer. The machine says it again when the two meet, so a power cut may
    /// take it back.
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

    /// Lets a peer have a set because another one that has it names it. That counts only for a paired machine that is accepted, and from which a
    /// person has not taken the set back: a word of others undoes no decision of a person, whenever it comes.
    ///
    /// - Returns: whether it may have the set now
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

    /// What peers offer and nobody here has taken up, the oldest first.
    public func offeredSets() throws(LedgerError) -> Listed<OfferedSet> {
        try database.rows("SELECT * FROM save_offers ORDER BY number", read: OfferedSet.init)
    }

    /// Keeps what a peer offers. Answers whether it is news.
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

    /// Keeps the description of a set that this machine has left. However many there are, none gives way to another.
    /// - Parameters:
    ///   - own: this machine, which offers to itself the sets it has left
    ///   - folder: its folder here
    public func noteLeft(
        _ offer: SaveOffer,
        by own: PeerID,
        in folder: String?,
        at time: WallTime = .now
    ) throws(LedgerError) {
        try write(.promised, isCopied: true) { _ throws(LedgerError) in
            try put(offer, of: own, in: folder, at: time)
        }
    }

    private func put(
        _ offer: SaveOffer,
        of peer: PeerID,
        in folder: String? = nil,
        at time: WallTime
    ) throws(LedgerError) {
        try database.run(
            """
            INSERT INTO save_offers (peer, save_set, offer, came_at, folder) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (peer, save_set) DO UPDATE SET offer = excluded.offer, folder = excluded.folder
            """,
            SQLValue(peer),
            SQLValue(offer.set),
            .bytes(SaveMessage.offer(offer).encoded),
            SQLValue(time),
            SQLValue(folder)
        )
    }

    /// Forgets a set that this machine has left, and from whom it was taken back.
    /// - Parameter own: this machine, which offers to itself what it has left
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

    /// Forgets what a peer offers; nil where it is about all peers.
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
