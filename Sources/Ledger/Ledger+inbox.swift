import Database
public import Vocabulary

extension Ledger {
    /// How many messages the inbox keeps, and as many files and folders. When there are more, the
    /// machine with the most of them loses its oldest. Files and folders stay in their folder.
    public static let inboxLimit = 10_000

    /// How many bytes of messages the inbox keeps. When there are more, the machine with the most
    /// bytes loses its oldest.
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
            try keepInboxSmall(database, isMessage: columns.message != .null)
            return number
        }
    }

    /// The numbers of what arrived, the oldest first. All messages together can be half of the
    /// memory that a daemon may take, so they are read one by one.
    ///
    /// - Parameter isNewOnly: whether to leave out what was looked at (default: no)
    public func inboxNumbers(isNewOnly: Bool = false) throws(LedgerError) -> [Int64] {
        try database.rows(
            "SELECT id FROM inbox WHERE is_looked_at = 0 OR ? ORDER BY id",
            .integer(isNewOnly ? 0 : 1)
        ) { row throws(UnreadableValue) in try row.integer("id") }.values
    }

    /// What arrived under a number; nil if it has left the list.
    ///
    /// - Throws: ``LedgerError`` also if its entry can't be understood
    public func inboxItem(_ number: Int64) throws(LedgerError) -> InboxItem? {
        try database.row("SELECT * FROM inbox WHERE id = ?", .integer(number), read: InboxItem.init)
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

    /// Removes what is too much. The machine with the most gives way, so that one that floods the
    /// inbox pushes out its own entries and none of a friend that has fewer.
    private func keepInboxSmall(_ database: LedgerDatabase, isMessage: Bool) throws(LedgerError) {
        let kind = SQLValue.integer(isMessage ? 1 : 0)
        func remove(_ fullest: StaticString, over limit: Int64) throws(LedgerError) {
            while let peer = try database.row(
                fullest,
                kind,
                .integer(limit),
                read: { row throws(UnreadableValue) in try row.text("peer") }
            ) {
                let before = database.changeCount
                try database.run(
                    """
                    DELETE FROM inbox WHERE id = (
                        SELECT id FROM inbox WHERE peer = ? AND (message IS NOT NULL) = ?
                        ORDER BY id LIMIT 1
                    )
                    """,
                    .text(peer),
                    kind
                )
                // A change by hand can leave a share that no entry explains.
                guard database.changeCount != before else { return }
            }
        }
        try remove(
            """
            WITH shares AS (SELECT * FROM inbox_shares WHERE is_message = ?)
            SELECT peer FROM shares WHERE (SELECT sum(entries) FROM shares) > ?
            ORDER BY entries DESC LIMIT 1
            """,
            over: Int64(Self.inboxLimit)
        )
        guard isMessage else { return }
        try remove(
            """
            WITH shares AS (SELECT * FROM inbox_shares WHERE is_message = ?)
            SELECT peer FROM shares WHERE (SELECT sum(bytes) FROM shares) > ?
            ORDER BY bytes DESC LIMIT 1
            """,
            over: Int64(Self.messageLimit.bytes)
        )
    }
}
