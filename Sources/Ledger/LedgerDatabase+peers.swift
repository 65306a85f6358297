import Database
import Vocabulary

/// Statements that several parts of the ledger need within a transaction.
extension LedgerDatabase {
    /// Reads a peer; nil if it is unknown.
    func peer(_ id: PeerID) throws(LedgerError) -> KnownPeer? {
        try row("SELECT * FROM peers WHERE id = ?", SQLValue(id), read: KnownPeer.init)
    }

    func put(_ peer: KnownPeer) throws(LedgerError) {
        try run(
            """
            INSERT INTO peers
                (id, name, pinned_since, policy, policy_before_block, permissions, last_seen, addresses, note)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, pinned_since = excluded.pinned_since,
                policy = excluded.policy, policy_before_block = excluded.policy_before_block,
                permissions = excluded.permissions, last_seen = excluded.last_seen,
                addresses = excluded.addresses, note = excluded.note
            """,
            SQLValue(peer.id),
            SQLValue(peer.name),
            SQLValue(peer.pinnedSince),
            SQLValue(peer.policy),
            SQLValue(peer.policyBeforeBlock),
            .integer(Int64(peer.permissions.rawValue)),
            SQLValue(peer.lastSeen),
            peer.addressColumn,
            SQLValue(peer.note)
        )
    }

    /// The policy for invitations from peers without a policy of their own (default: ask the user).
    func defaultPolicy() throws(LedgerError) -> Policy {
        try setting("default-policy") { row throws(UnreadableValue) in try row.optionalPolicy("value") } ?? .ask
    }

    /// Reads a setting; nil if it has no value.
    func setting<Value>(
        _ word: String,
        _ read: (Row) throws(UnreadableValue) -> Value?
    ) throws(LedgerError) -> Value? {
        try row("SELECT value FROM settings WHERE word = ?", .text(word), read: read) ?? nil
    }
}
