import Database
public import Vocabulary

extension Ledger {
    /// The usual number of kept entries about machines of the household. The oldest ones about the machine with the
    /// most entries are deleted: otherwise a machine that joins and leaves without end could push out those of others.
    public static let auditLimit = 10_000
    /// The number of kept entries about unknown machines. This limit is separate: otherwise such a machine could fill
    /// the log and push out the entry of a pairing.
    public static let strangersAuditLimit = 1_000
    /// The number of entries after which the oldest are deleted: a search at each entry would cost more than the entry.
    private static let auditTrim = 64

    /// The kind of machine that an entry is about.
    public enum AuditOrigin: Int64, Sendable {
        /// This machine, or a known one.
        case household = 0
        /// An unknown machine.
        case stranger = 1
    }

    /// Adds an entry to the audit log.
    ///
    /// - Parameters:
    ///   - event: a stable word such as `invitation.declined`
    ///   - details: further facts, but never contents, keys or codes
    ///   - origin: the kind of machine that the entry is about
    public func note(
        _ event: String,
        about peer: PeerID? = nil,
        _ details: [AuditEntry.Detail] = [],
        of origin: AuditOrigin = .household,
        at time: WallTime = .now
    ) throws(LedgerError) {
        try write(.casual) { database throws(LedgerError) in
            try database.run(
                "INSERT INTO audit (time, peer, event, details, is_strangers) VALUES (?, ?, ?, ?, ?)",
                SQLValue(time),
                SQLValue(peer),
                .text(event),
                .text(AuditEntry.text(of: details)),
                .integer(origin.rawValue)
            )
            try trimAudit(database)
        }
    }

    private func trimAudit(_ database: LedgerDatabase) throws(LedgerError) {
        let last = try database.rows("SELECT max(id) AS id FROM audit") { row throws(UnreadableValue) in
            try row.integer("id")
        }
        guard auditLimit < Self.auditTrim || Int(last.values.first ?? 0) % Self.auditTrim == 0 else { return }
        // Keys of strangers cost nothing, so a share for each key would protect none.
        try database.run(
            """
            DELETE FROM audit WHERE is_strangers = ?1 AND id <=
                (SELECT id FROM audit WHERE is_strangers = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
            """,
            .integer(AuditOrigin.stranger.rawValue),
            .integer(Int64(Self.strangersAuditLimit))
        )
        try database.run(
            """
            DELETE FROM audit WHERE id IN (
                SELECT id FROM audit
                WHERE is_strangers = ?1 AND peer IS (
                    SELECT peer FROM audit WHERE is_strangers = ?1 GROUP BY peer ORDER BY count(*) DESC LIMIT 1)
                ORDER BY id
                LIMIT max(0, (SELECT count(*) FROM audit WHERE is_strangers = ?1) - ?2))
            """,
            .integer(AuditOrigin.household.rawValue),
            .integer(Int64(auditLimit))
        )
    }

    /// Reads the entries, the newest first.
    ///
    /// - Parameter limit: the greatest number of entries to read
    public func audit(limit: Int = Ledger.auditLimit) throws(LedgerError) -> Listed<AuditEntry> {
        try database.rows(
            "SELECT * FROM audit ORDER BY id DESC LIMIT ?",
            .integer(Int64(max(0, limit))),
            read: AuditEntry.init
        )
    }
}
