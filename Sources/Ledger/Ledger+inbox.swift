import Database
public import Vocabulary

extension Ledger {
    /// How many things the inbox lists; the oldest leave the list. Files and folders stay where they lie.
    public static let inboxLimit = 10_000

    /// How much of messages the inbox keeps; the oldest leave it.
    public static let messageLimit = ByteCount(64 << 20)

    /// Enters something that arrived, and answers its number.
    ///
    /// - Parameter size: of a file or a folder; a message has as many bytes as it has
    @discardableResult
    public func enter(
        _ content: InboxItem.Content,
        from peer: PeerID,
        called name: InstanceName? = nil,
        size: ByteCount,
        at time: WallTime = .now
    ) throws(LedgerError) -> Int64 {
        try write(.promised) { database throws(LedgerError) in
            let columns = content.columns
            let number = try database.row(
                """
                INSERT INTO inbox (kind, name, path, message, peer, peer_name, size, came_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
                """,
                columns.kind,
                columns.name,
                columns.path,
                columns.message,
                SQLValue(peer),
                SQLValue(name),
                .integer(Int64(clamping: size.bytes)),
                SQLValue(time)
            ) { row throws(UnreadableValue) in try row.integer("id") }
            guard let number else { preconditionFailure("a new row has a number") }
            try keepInboxSmall(database, upTo: number)
            return number
        }
    }

    /// What arrived, the newest first.
    ///
    /// - Parameters:
    ///   - limit: how many to read at the most
    ///   - isNewOnly: whether to leave out what was looked at
    public func inbox(limit: Int = inboxLimit, isNewOnly: Bool = false) throws(LedgerError) -> Listed<InboxItem> {
        try database.rows(
            "SELECT * FROM inbox WHERE is_looked_at = 0 OR ? ORDER BY id DESC LIMIT ?",
            .integer(isNewOnly ? 0 : 1),
            .integer(Int64(max(0, limit))),
            read: InboxItem.init
        )
    }

    /// Notes that the person has looked at something.
    public func markLookedAt(_ numbers: [Int64]) throws(LedgerError) {
        try write(.casual) { database throws(LedgerError) in
            for number in numbers {
                try database.run("UPDATE inbox SET is_looked_at = 1 WHERE id = ?", .integer(number))
            }
        }
    }

    /// Takes something off the list. A file or folder stays where it lies. Answers whether it was there.
    @discardableResult
    public func removeFromInbox(_ number: Int64) throws(LedgerError) -> Bool {
        try write(.promised) { database throws(LedgerError) in
            let before = database.changeCount
            try database.run("DELETE FROM inbox WHERE id = ?", .integer(number))
            return database.changeCount != before
        }
    }

    private func keepInboxSmall(_ database: LedgerDatabase, upTo newest: Int64) throws(LedgerError) {
        try database.run("DELETE FROM inbox WHERE id <= ? - ?", .integer(newest), .integer(Int64(Self.inboxLimit)))
        let limit = Int64(Self.messageLimit.bytes)
        try database.run(
            """
            DELETE FROM inbox WHERE id IN (
                SELECT id FROM (
                    SELECT id, sum(length(message)) OVER (ORDER BY id DESC) AS total FROM inbox WHERE message IS NOT NULL
                ) WHERE total > ?
            )
            """,
            .integer(limit)
        )
    }
}
