import Database
public import Vocabulary

extension Ledger {
    /// The inbox of this machine.
    public nonisolated var inbox: InboxRecords { InboxRecords(self) }
}

/// The messages, files and folders that arrived from other machines.
public struct InboxRecords: Sendable {
    private let ledger: Ledger

    fileprivate init(_ ledger: Ledger) { self.ledger = ledger }

    /// The number of messages that the inbox keeps, and the number of files and folders. Beyond it, the machine with
    /// the most of them loses its oldest entry. Files and folders stay in their folder.
    public static let limit = 10_000

    /// The size of all messages that the inbox keeps. Beyond it, the machine with the most bytes loses its oldest
    /// message.
    public static let messageLimit = ByteCount(64 << 20)

    /// Enters an item that arrived, and returns its number.
    ///
    /// - Parameter size: the size of a file or folder; a message's size follows from its bytes
    @discardableResult
    public func enter(
        _ content: InboxItem.Content,
        from peer: PeerID,
        called name: InstanceName? = nil,
        size: ByteCount,
        at time: WallTime = .now
    ) async throws(LedgerError) -> Int64 {
        try await ledger.write(.promised) { database throws(LedgerError) in
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
            try database.keepInboxSmall(isMessage: columns.message != .null)
            return number
        }
    }

    /// The numbers of the items, the oldest first. All messages together can take half of the daemon's memory limit, so
    /// read the items one by one.
    ///
    /// - Parameter isNewOnly: true leaves out items that the user has seen (default: false)
    public func numbers(isNewOnly: Bool = false) async throws(LedgerError) -> [Int64] {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT id FROM inbox WHERE is_looked_at = 0 OR ? ORDER BY id",
                .integer(isNewOnly ? 0 : 1)
            ) { row throws(UnreadableValue) in try row.integer("id") }.values
        }
    }

    /// Reads an item by its number; nil if it is not in the list.
    ///
    /// - Throws: ``LedgerError`` also if its entry can't be understood
    public func item(_ number: Int64) async throws(LedgerError) -> InboxItem? {
        try await ledger.read { database throws(LedgerError) in
            try database.row("SELECT * FROM inbox WHERE id = ?", .integer(number), read: InboxItem.init)
        }
    }

    /// Marks items as seen by the user.
    public func markLookedAt(_ numbers: [Int64]) async throws(LedgerError) {
        try await ledger.write(.casual) { database throws(LedgerError) in
            for number in numbers {
                try database.run("UPDATE inbox SET is_looked_at = 1 WHERE id = ?", .integer(number))
            }
        }
    }

    /// Removes an item from the list. A file or folder stays in its place. Returns true if the item was in the list.
    @discardableResult
    public func remove(_ number: Int64) async throws(LedgerError) -> Bool {
        try await ledger.write(.promised) { database throws(LedgerError) in
            let before = database.changeCount
            try database.run("DELETE FROM inbox WHERE id = ?", .integer(number))
            return database.changeCount != before
        }
    }
}

extension LedgerDatabase {
    /// Removes items beyond the limits. The machine with the most items loses one. So a machine that floods the inbox
    /// pushes out its own entries and none of a machine that has fewer.
    fileprivate func keepInboxSmall(isMessage: Bool) throws(LedgerError) {
        let kind = SQLValue.integer(isMessage ? 1 : 0)
        func remove(_ fullest: StaticString, over limit: Int64) throws(LedgerError) {
            while let peer = try row(
                fullest,
                kind,
                .integer(limit),
                read: { row throws(UnreadableValue) in try row.text("peer") }
            ) {
                let before = changeCount
                try run(
                    """
                    DELETE FROM inbox WHERE id = (
                        SELECT id FROM inbox WHERE peer = ? AND (message IS NOT NULL) = ?
                        ORDER BY id LIMIT 1
                    )
                    """,
                    .text(peer),
                    kind
                )
                // After a change by hand, `inbox_shares` may count entries that do not exist.
                guard changeCount != before else { return }
            }
        }
        try remove(
            """
            WITH shares AS (SELECT * FROM inbox_shares WHERE is_message = ?)
            SELECT peer FROM shares WHERE (SELECT sum(entries) FROM shares) > ?
            ORDER BY entries DESC LIMIT 1
            """,
            over: Int64(InboxRecords.limit)
        )
        guard isMessage else { return }
        try remove(
            """
            WITH shares AS (SELECT * FROM inbox_shares WHERE is_message = ?)
            SELECT peer FROM shares WHERE (SELECT sum(bytes) FROM shares) > ?
            ORDER BY bytes DESC LIMIT 1
            """,
            over: Int64(InboxRecords.messageLimit.bytes)
        )
    }
}
