import Database
public import Vocabulary

extension Ledger {
    /// How many entries about machines of the household are kept where nothing else is asked for; the oldest give way.
    public static let auditLimit = 10_000
    /// How many entries about strangers are kept. They have a limit of their own, or a stranger could make the log forget a pairing.
    public static let strangersAuditLimit = 1_000
    /// After how many entries the oldest give way: to look for them each time costs more than to write the entry.
    private static let auditTrim = 64

    /// Whom an entry is about.
    public enum AuditOrigin: Int64, Sendable {
        /// This machine, or one that it knows.
        case household = 0
        /// A stranger.
        case stranger = 1
    }

    /// Notes that something happened.
    ///
    /// - Parameters:
    ///   - event: a stable word such as `invitation.declined`
    ///   - details: never contents, keys or codes
    ///   - origin: whom it is about
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
        for (origin, limit) in [(AuditOrigin.household, auditLimit), (.stranger, Self.strangersAuditLimit)] {
            try database.run(
                """
                DELETE FROM audit WHERE is_strangers = ?1 AND id <=
                    (SELECT id FROM audit WHERE is_strangers = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                """,
                .integer(origin.rawValue),
                .integer(Int64(limit))
            )
        }
    }

    /// What happened, the newest first.
    ///
    /// - Parameter limit: how many to read at the most
    public func audit(limit: Int = Ledger.auditLimit) throws(LedgerError) -> Listed<AuditEntry> {
        try database.rows(
            "SELECT * FROM audit ORDER BY id DESC LIMIT ?",
            .integer(Int64(max(0, limit))),
            read: AuditEntry.init
        )
    }
}
