import Database
public import SaveRules
public import Vocabulary

extension Ledger {
    /// The save sets of this machine.
    public nonisolated var saveSets: SaveSetRecords { SaveSetRecords(self) }
}

/// The save sets of this machine, with their settings and the state of their folders.
public struct SaveSetRecords: Sendable {
    private let ledger: Ledger

    fileprivate init(_ ledger: Ledger) { self.ledger = ledger }

    /// All save sets of this machine, sorted by name.
    public func all() async throws(LedgerError) -> Listed<SaveSetEntry> {
        try await ledger.read { database throws(LedgerError) in
            try database.rows("SELECT * FROM save_sets ORDER BY name", read: SaveSetEntry.init)
        }
    }

    /// The ids of this machine's save sets, also of those whose entries can't be understood.
    public func ids() async throws(LedgerError) -> Set<SaveSetID> {
        try await ledger.read { database throws(LedgerError) in
            Set(
                try database.rows("SELECT id FROM save_sets") { row throws(UnreadableValue) -> SaveSetID in
                    try row.id("id")
                }.values
            )
        }
    }

    /// Adds a set, or changes the settings of an existing one.
    /// - Throws: `ledger.save-set-name-taken` if another set has the name
    public func put(_ set: SaveSetEntry) async throws(LedgerError) {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
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
    ) async throws(LedgerError) {
        try await ledger.write(.promised) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_sets SET applied = ?, used_counter = max(used_counter, ?) WHERE id = ?",
                .bytes(applied?.bytes),
                .integer(Int64(clamping: usedCounter)),
                SQLValue(set)
            )
            if let change { try database.note(change, of: set) }
        }
    }

    /// Stores whether a folder has lost its files and the user has not decided yet.
    public func noteEmptied(_ isEmptied: Bool, _ set: SaveSetID) async throws(LedgerError) {
        try await ledger.write(.promised) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_sets SET is_emptied = ? WHERE id = ?",
                .integer(isEmptied ? 1 : 0),
                SQLValue(set)
            )
        }
    }

    /// Returns true if a folder has lost its files and the user has not decided yet.
    public func isEmptied(_ set: SaveSetID) async throws(LedgerError) -> Bool {
        try await ledger.read { database throws(LedgerError) in
            try database.row("SELECT is_emptied FROM save_sets WHERE id = ?", SQLValue(set)) {
                row throws(UnreadableValue) in try row.integer("is_emptied") == 1
            } ?? false
        }
    }

    /// Deletes a set with its snapshots and sharers. Its folder stays unchanged. Returns true if the set was there.
    @discardableResult
    public func remove(_ set: SaveSetID) async throws(LedgerError) -> Bool {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            let before = database.changeCount
            try database.run("DELETE FROM save_sets WHERE id = ?", SQLValue(set))
            return database.changeCount != before
        }
    }

    /// The last claim of the peer that plays a set; nil if no peer is known to play.
    public func keptClaim(of set: SaveSetID) async throws(LedgerError) -> KeptClaim? {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT * FROM save_leases WHERE save_set = ?",
                SQLValue(set),
                read: KeptClaim.init
            ).values.first
        }
    }

    /// The play of a set that was cut off; nil if there is none.
    public func keptCutOff(of set: SaveSetID) async throws(LedgerError) -> CutOffPlay? {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT player, saved FROM cut_off_plays WHERE save_set = ?",
                SQLValue(set),
                read: { row throws(UnreadableValue) in
                    let saved = UInt64(clamping: try row.integer("saved"))
                    guard let play = CutOffPlay(of: try row.peer("player"), saved: saved) else {
                        throw UnreadableValue(column: "saved")
                    }
                    return play
                }
            ).values.first
        }
    }

    /// Stores the last claim of the peer that plays a set and the play that was cut off, in one step, for the next
    /// start of the program; nil deletes either. Does nothing for a set that is not here.
    public func keep(
        _ claim: LeaseClaim?,
        cutOff: CutOffPlay?,
        of set: SaveSetID,
        heardAt time: WallTime = .now
    ) async throws(LedgerError) {
        // Both are only advisory, so the call does not wait for the disk.
        try await ledger.write(.casual) { database throws(LedgerError) in
            try database.run("DELETE FROM cut_off_plays WHERE save_set = ?", SQLValue(set))
            if let cutOff {
                try database.run(
                    "INSERT INTO cut_off_plays (save_set, player, saved) SELECT id, ?, ? FROM save_sets WHERE id = ?",
                    SQLValue(cutOff.player),
                    .integer(Int64(clamping: cutOff.saved)),
                    SQLValue(set)
                )
            }
            guard let claim else {
                return try database.run("DELETE FROM save_leases WHERE save_set = ?", SQLValue(set))
            }
            try database.run(
                """
                INSERT INTO save_leases (save_set, peer, term, played_seconds, heard_at)
                SELECT id, ?, ?, ?, ? FROM save_sets WHERE id = ?
                ON CONFLICT (save_set) DO UPDATE SET peer = excluded.peer, term = excluded.term,
                    played_seconds = excluded.played_seconds, heard_at = excluded.heard_at
                """,
                SQLValue(claim.peer),
                .integer(Int64(bitPattern: claim.term)),
                .integer(claim.played.components.seconds),
                SQLValue(time),
                SQLValue(set)
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
