import Database
public import SaveRules
public import Vocabulary

extension Ledger {
    /// The known snapshots of save sets.
    public nonisolated var snapshots: SnapshotRecords { SnapshotRecords(self) }
}

/// Metadata of the sets' snapshots. There may be millions, so each call's limit or arguments bound its result.
public struct SnapshotRecords: Sendable {
    private let ledger: Ledger

    fileprivate init(_ ledger: Ledger) { self.ledger = ledger }

    /// The last `count` known snapshots of a set, in the order of their arrival.
    /// - Parameter later: a snapshot that arrived after all of them; nil for the newest ones
    public func known(
        of set: SaveSetID,
        last count: Int = 10_000,
        before later: SnapshotID? = nil
    ) async throws(LedgerError) -> [KnownSnapshot] {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                """
                SELECT * FROM save_snapshots WHERE save_set = ?1 AND (?3 IS NULL OR place <
                    (SELECT place FROM save_snapshots WHERE save_set = ?1 AND id = ?3))
                ORDER BY place DESC LIMIT ?2
                """,
                SQLValue(set),
                .integer(Int64(count)),
                later.map { .bytes($0.bytes) } ?? .null,
                read: KnownSnapshot.init
            ).values.reversed()
        }
    }

    /// Reads a snapshot; nil if it is unknown.
    public func known(_ id: SnapshotID, of set: SaveSetID) async throws(LedgerError) -> KnownSnapshot? {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT * FROM save_snapshots WHERE save_set = ? AND id = ?",
                SQLValue(set),
                .bytes(id.bytes),
                read: KnownSnapshot.init
            ).values.first
        }
    }

    /// The first few snapshots with a number. Versions that two machines made at the same time have the same number.
    public func known(
        of set: SaveSetID,
        numbered number: Int,
        limit: Int
    ) async throws(LedgerError) -> [KnownSnapshot] {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT * FROM save_snapshots WHERE save_set = ? AND generation = ? LIMIT ?",
                SQLValue(set),
                .integer(Int64(number)),
                .integer(Int64(limit)),
                read: KnownSnapshot.init
            ).values
        }
    }

    /// Numbers that several snapshots of a set have.
    public func sharedNumbers(of set: SaveSetID) async throws(LedgerError) -> Set<Int> {
        try await ledger.read { database throws(LedgerError) in
            let numbers = try database.rows(
                """
                SELECT generation FROM save_snapshots WHERE save_set = ? AND generation IS NOT NULL
                GROUP BY generation HAVING count(*) > 1
                """,
                SQLValue(set)
            ) { row throws(UnreadableValue) in try row.integer("generation") }
            return Set(numbers.values.map { Int(clamping: $0) })
        }
    }

    /// The first few snapshots whose ids are in a range.
    public func known(
        of set: SaveSetID,
        named names: ClosedRange<SnapshotID>,
        limit: Int
    ) async throws(LedgerError) -> [KnownSnapshot] {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT * FROM save_snapshots WHERE save_set = ? AND id BETWEEN ? AND ? LIMIT ?",
                SQLValue(set),
                .bytes(names.lowerBound.bytes),
                .bytes(names.upperBound.bytes),
                .integer(Int64(limit)),
                read: KnownSnapshot.init
            ).values
        }
    }

    /// The arrivals of the snapshots that are here in full, the first one first.
    public func heldArrivals(of set: SaveSetID) async throws(LedgerError) -> [SnapshotArrival] {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT id, place, came_at FROM save_snapshots WHERE save_set = ? AND is_held = 1 ORDER BY place",
                SQLValue(set),
                read: SnapshotArrival.init
            ).values
        }
    }

    /// Reads the state of a set's snapshots that was stored for the next start.
    public func standing(of set: SaveSetID) async throws(LedgerError) -> SnapshotStanding {
        try await ledger.read { database throws(LedgerError) in
            let heads = try database.row("SELECT heads FROM save_sets WHERE id = ?", SQLValue(set)) {
                row throws(UnreadableValue) in try row.optionalBytes("heads")
            }
            let held = try database.rows(
                "SELECT id FROM save_snapshots WHERE save_set = ? AND is_held = 1",
                SQLValue(set)
            ) { row throws(UnreadableValue) in try row.snapshot("id") }
            let incomplete = try database.rows(
                "SELECT id FROM save_snapshots WHERE save_set = ? AND is_lacking = 1",
                SQLValue(set)
            ) { row throws(UnreadableValue) in try row.snapshot("id") }
            let refusals = try database.rows(
                "SELECT id, refusal FROM save_snapshots WHERE save_set = ? AND refusal IS NOT NULL",
                SQLValue(set)
            ) { row throws(UnreadableValue) in (try row.snapshot("id"), try row.text("refusal")) }
            return SnapshotStanding(
                heads: (heads ?? nil).flatMap { SnapshotID.list(in: $0) },
                held: Set(held.values),
                refusals: Dictionary(refusals.values) { first, _ in first },
                incomplete: Set(incomplete.values)
            )
        }
    }

    /// Stores which snapshots are here in full. A power cut may lose that, because the history knows it as well.
    public func noteHeld(_ change: HeldChange, of set: SaveSetID) async throws(LedgerError) {
        try await ledger.write(.casual) { database throws(LedgerError) in try database.note(change, of: set) }
    }

    /// The snapshots among `ids` that a set does not know.
    public func unknown(among ids: Set<SnapshotID>, of set: SaveSetID) async throws(LedgerError) -> Set<SnapshotID> {
        try await ledger.read { database throws(LedgerError) in
            var unknown: Set<SnapshotID> = []
            for id in ids {
                let known = try database.row(
                    "SELECT 1 AS one FROM save_snapshots WHERE save_set = ? AND id = ?",
                    SQLValue(set),
                    .bytes(id.bytes)
                ) { row throws(UnreadableValue) in try row.integer("one") }
                if known == nil { unknown.insert(id) }
            }
            return unknown
        }
    }

    /// Stores snapshots, ancestors first. Those that are known already keep their place in the order.
    /// - Parameters:
    ///   - giver: the peer that sent them, with its limits; nil if this machine made or had them
    ///   - usedCounter: the highest number in them that this machine has used, which is never used again
    /// - Returns: the exceeded limit, and then no snapshot is stored; nil otherwise
    @discardableResult
    public func know(
        _ snapshots: [Snapshot],
        from giver: SnapshotGiver? = nil,
        usedCounter: UInt64 = 0,
        at time: WallTime = .now
    ) async throws(LedgerError) -> SnapshotGiver.Excess? {
        guard let set = snapshots.first?.set else { return nil }
        return try await ledger.write(.promised) { database throws(LedgerError) -> SnapshotGiver.Excess? in
            if let giver, let excess = try database.excess(of: snapshots, from: giver) { return excess }
            var place =
                try database.row(
                    "SELECT coalesce(max(place), 0) AS place FROM save_snapshots WHERE save_set = ?",
                    SQLValue(set)
                ) { row throws(UnreadableValue) in try row.integer("place") } ?? 0
            for snapshot in snapshots {
                let before = database.changeCount
                try database.run(
                    """
                    INSERT INTO save_snapshots (save_set, id, place, came_at, giver, generation, bytes)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (save_set, id) DO NOTHING
                    """,
                    SQLValue(set),
                    .bytes(snapshot.id.bytes),
                    .integer(place + 1),
                    SQLValue(time),
                    .text(giver?.peer.column ?? ""),
                    .integer(Int64(snapshot.number)),
                    .bytes(snapshot.encoded)
                )
                if database.changeCount != before { place += 1 }
            }
            try database.run(
                "UPDATE save_sets SET used_counter = max(used_counter, ?) WHERE id = ?",
                .integer(Int64(clamping: usedCounter)),
                SQLValue(set)
            )
            return nil
        }
    }

    /// The number and size of a peer's snapshots in all sets together.
    public func given(by peer: PeerID) async throws(LedgerError) -> GivenLimits {
        try await ledger.read { database throws(LedgerError) in try database.given(by: peer) }
    }

    // MARK: Faults

    /// Stores the reason why a snapshot is not applied to the folder; nil if there is none.
    public func setRefusal(
        _ reason: String?,
        of snapshot: SnapshotID,
        in set: SaveSetID
    ) async throws(LedgerError) {
        try await ledger.write(.promised) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_snapshots SET refusal = ? WHERE save_set = ? AND id = ?",
                SQLValue(reason),
                SQLValue(set),
                .bytes(snapshot.bytes)
            )
        }
    }

    /// Stores which snapshots of a set miss pieces that were discarded as damaged.
    public func setIncomplete(_ snapshots: Set<SnapshotID>, of set: SaveSetID) async throws(LedgerError) {
        try await ledger.write(.promised) { database throws(LedgerError) in
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

extension LedgerDatabase {
    /// Stores which snapshots of a set are here in full.
    func note(_ change: HeldChange, of set: SaveSetID) throws(LedgerError) {
        try run(
            "UPDATE save_sets SET heads = ? WHERE id = ?",
            .bytes(change.heads.flatMap(\.bytes)),
            SQLValue(set)
        )
        for (snapshots, isHeld) in [(change.come, Int64(1)), (change.gone, 0)] {
            for snapshot in snapshots {
                try run(
                    "UPDATE save_snapshots SET is_held = ? WHERE save_set = ? AND id = ?",
                    .integer(isHeld),
                    SQLValue(set),
                    .bytes(snapshot.bytes)
                )
            }
        }
    }

    fileprivate func excess(
        of snapshots: [Snapshot],
        from giver: SnapshotGiver
    ) throws(LedgerError) -> SnapshotGiver.Excess? {
        let given = try given(by: giver.peer)
        let allPeers = try row(
            """
            SELECT coalesce(sum(snapshots), 0) AS snapshots, coalesce(sum(bytes), 0) AS bytes FROM save_givers
            WHERE peer <> ''
            """,
            read: GivenLimits.init
        )
        let (count, bytes) = (snapshots.count, snapshots.reduce(0) { $0 + $1.byteCount })
        func isOver(_ given: GivenLimits?, _ limits: GivenLimits) -> Bool {
            (given?.snapshots ?? 0) + count > limits.snapshots || (given?.bytes ?? 0) + bytes > limits.bytes
        }
        if isOver(given, giver.limits.peer) { return .peer }
        return isOver(allPeers, giver.limits.allPeers) ? .allPeers : nil
    }

    fileprivate func given(by peer: PeerID) throws(LedgerError) -> GivenLimits {
        try row(
            "SELECT snapshots, bytes FROM save_givers WHERE peer = ?",
            SQLValue(peer),
            read: GivenLimits.init
        )
            ?? GivenLimits(snapshots: 0, bytes: 0)
    }
}

extension GivenLimits {
    fileprivate init(_ row: Row) throws(UnreadableValue) {
        self.init(snapshots: Int(try row.integer("snapshots")), bytes: Int(try row.integer("bytes")))
    }
}
