import Database
public import SaveRules
public import Vocabulary

extension Ledger {
    /// The statements of the household.
    public nonisolated var statements: StatementRecords { StatementRecords(self) }
}

/// The statements by which machines of the household vouch for each other.
public struct StatementRecords: Sendable {
    private let ledger: Ledger

    fileprivate init(_ ledger: Ledger) { self.ledger = ledger }

    /// All stored statements.
    public func all() async throws(LedgerError) -> Listed<KeptStatement> {
        try await ledger.read { database throws(LedgerError) in
            try database.rows("SELECT * FROM household_statements ORDER BY voucher, subject", read: KeptStatement.init)
        }
    }

    /// The machines that were paired because of a statement, each with the machine that vouched for it.
    public func vouchers() async throws(LedgerError) -> [PeerID: PeerID] {
        try await ledger.read { database throws(LedgerError) in
            let rows = try database.rows("SELECT * FROM household_pairings") { row throws(UnreadableValue) in
                (try row.peer("peer"), try row.peer("voucher"))
            }
            return Dictionary(rows.values) { first, _ in first }
        }
    }

    /// The machines that the user forgot here and for which this machine has no statement yet, or never will have one.
    /// The value is true if the machine belonged to the household.
    public func forgottenMachines() async throws(LedgerError) -> [PeerID: Bool] {
        try await ledger.read { database throws(LedgerError) in try database.forgottenMachines() }
    }

    /// Stores changes of the statements. The caller does this before it sends them to others or pairs a machine.
    /// - Parameter settled: forgotten machines for which this machine has a statement now
    public func store(_ changes: HouseholdStatements.Changes, settled: [PeerID]) async throws(LedgerError) {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            for pair in changes.dropped {
                try database.run(
                    "DELETE FROM household_statements WHERE voucher = ? AND subject = ?",
                    SQLValue(pair.voucher),
                    SQLValue(pair.subject)
                )
            }
            for (pair, statement) in changes.stored {
                // A removal that replaces an earlier one is no new question for the user, so `is_kept` stays with it.
                try database.run(
                    """
                    INSERT INTO household_statements (voucher, subject, bytes) VALUES (?1, ?2, ?3)
                    ON CONFLICT (voucher, subject) DO UPDATE SET bytes = ?3, is_kept = is_kept AND ?4
                    """,
                    SQLValue(pair.voucher),
                    SQLValue(pair.subject),
                    .bytes(statement.encoded),
                    .integer(statement.isPairing ? 0 : 1)
                )
            }
            for peer in settled { try database.run("DELETE FROM household_forgotten WHERE peer = ?", SQLValue(peer)) }
        }
    }

    /// Stores that the user keeps a machine despite these removals.
    public func keep(_ pairs: Set<HouseholdStatements.Pair>) async throws(LedgerError) {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            for pair in pairs {
                try database.run(
                    "UPDATE household_statements SET is_kept = 1 WHERE voucher = ? AND subject = ?",
                    SQLValue(pair.voucher),
                    SQLValue(pair.subject)
                )
            }
        }
    }

    /// Pairs an unknown machine for which a machine of the household vouches. Does nothing if the user has decided
    /// otherwise meanwhile. Then the machine has an entry or was forgotten, the voucher no longer belongs to the
    /// household, or unknown machines are blocked.
    /// - Returns: true if the machine is paired now
    public func admit(
        _ admission: HouseholdStatements.Admission,
        note: Label? = nil,
        at time: WallTime = .now
    ) async throws(LedgerError) -> Bool {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            var peer = try database.peer(admission.subject) ?? KnownPeer(id: admission.subject)
            guard peer.standing == .stranger, try database.peer(admission.voucher)?.standing == .mine,
                try database.forgottenMachines()[peer.id] == nil, try database.defaultPolicy() != .block
            else { return false }
            (peer.pinnedSince, peer.policy, peer.permissions) = (time, .accept, .all)
            (peer.name, peer.note) = (peer.name ?? admission.name, note)
            try database.put(peer)
            try database.run(
                "INSERT OR REPLACE INTO household_pairings (peer, voucher) VALUES (?, ?)",
                SQLValue(peer.id),
                SQLValue(admission.voucher)
            )
            return true
        }
    }
}

extension LedgerDatabase {
    fileprivate func forgottenMachines() throws(LedgerError) -> [PeerID: Bool] {
        let found = try rows("SELECT * FROM household_forgotten") { row throws(UnreadableValue) in
            (try row.peer("peer"), try row.integer("was_mine") == 1)
        }
        return Dictionary(found.values) { first, _ in first }
    }

    /// Notes that the user has paired a machine here: it counts as paired here, no matter what other machines say.
    func notePairedHere(_ id: PeerID) throws(LedgerError) {
        for statement: StaticString in [
            "DELETE FROM household_pairings WHERE peer = ?", "DELETE FROM household_forgotten WHERE peer = ?",
        ] {
            try run(statement, SQLValue(id))
        }
    }

    /// Marks a machine that is about to be forgotten, in that transaction. Otherwise a statement could pair it again
    /// after a crash.
    func noteForgotten(_ id: PeerID) throws(LedgerError) {
        let known: KnownPeer?
        do throws(LedgerError) {
            known = try peer(id)
        } catch {
            // An entry that can't be understood can be forgotten, too.
            known = KnownPeer(id: id)
        }
        try run("DELETE FROM household_pairings WHERE peer = ?", SQLValue(id))
        guard let known else { return }
        try run(
            "INSERT OR REPLACE INTO household_forgotten (peer, was_mine) VALUES (?, ?)",
            SQLValue(id),
            .integer(known.standing == .mine ? 1 : 0)
        )
    }
}
