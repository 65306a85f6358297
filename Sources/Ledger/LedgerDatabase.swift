import Database

/// The ledger's database, whose failures are the ledger's.
typealias LedgerDatabase = Database<LedgerError>

extension LedgerDatabase {
    /// Every row that can be understood, and how many can't.
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
