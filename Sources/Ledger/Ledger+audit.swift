import Database
public import Vocabulary

extension Ledger {
    /// How many entries are kept where nothing else is asked for; the oldest give way.
    public static let auditLimit = 10_000

    /// Notes that something happened.
    ///
    /// - Parameters:
    ///   - event: a stable word such as `invitation.declined`
    ///   - details: never contents, keys or codes
    public func note(
        _ event: String,
        about peer: PeerID? = nil,
        _ details: [AuditEntry.Detail] = [],
        at time: WallTime = .now
    ) throws(LedgerError) {
        try write(.casual) { database throws(LedgerError) in
            try database.run(
                "INSERT INTO audit (time, peer, event, details) VALUES (?, ?, ?, ?)",
                SQLValue(time),
                SQLValue(peer),
                .text(event),
                .text(AuditEntry.text(of: details))
            )
            try database.run(
                "DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?",
                .integer(Int64(auditLimit))
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
