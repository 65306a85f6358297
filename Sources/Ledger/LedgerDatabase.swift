import Database

/// A database that throws the ledger's errors.
typealias LedgerDatabase = Database<LedgerError>

extension LedgerDatabase {
    /// Reads all rows that can be understood, and counts the others.
    func rows<Value>(
        _ sql: StaticString,
        _ values: SQLValue...,
        read: (Row) throws(UnreadableValue) -> Value
    ) throws(LedgerError) -> Listed<Value> {
        var found: [Value] = []
        var unreadable = 0
        try forEachRow(sql, values) { row throws(LedgerError) in
            do throws(UnreadableValue) {
                found.append(try read(row))
            } catch {
                unreadable += 1
            }
        }
        return Listed(found, unreadable: unreadable)
    }
}
