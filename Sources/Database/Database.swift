import CSQLite

/// One connection to SQLite, used by one thread at a time. What goes wrong comes as the error of the module that uses it.
///
/// Statements are texts of the source, never made at run time, so that no value can become part of one.
package final class Database<Failure: DatabaseFailure> {
    let connection: OpaquePointer
    private var statements: [String: Statement<Failure>] = [:]
    private var durability: Durability?
    /// What the connection's progress handler looks at, where there is one.
    let allowance: TimeAllowance?

    /// Takes over an open connection.
    init(owning connection: OpaquePointer, allowance: TimeAllowance?) {
        self.connection = connection
        self.allowance = allowance
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(connection)
    }

    /// How many rows have been changed since the opening.
    package var changeCount: Int64 { sqlite3_total_changes64(connection) }

    /// Runs several statements that take no values.
    package func execute(_ script: StaticString) throws(Failure) {
        // A text of the source ends with a zero of its own.
        // because SQLite counts the same bytes as signed characters
        let code = script.utf8Start.withMemoryRebound(to: CChar.self, capacity: script.utf8CodeUnitCount + 1) {
            sqlite3_exec(connection, $0, nil, nil, nil)
        }
        guard code == SQLITE_OK else { throw Failure(SQLiteFailure(code, of: connection)) }
    }

    /// Runs a statement whose answer, if any, does not matter.
    package func run(_ sql: StaticString, _ values: SQLValue...) throws(Failure) {
        try statement(sql).run(values) { _ throws(Failure) in }
    }

    /// Hands out each row of an answer, which is valid only while it is handed out.
    package func forEachRow(
        _ sql: StaticString,
        _ values: [SQLValue] = [],
        _ take: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        try statement(sql).run(values, take)
    }

    /// The one row there is, or nil; one that can't be understood is an error.
    package func row<Value>(
        _ sql: StaticString,
        _ values: SQLValue...,
        read: (Row) throws(UnreadableValue) -> Value
    ) throws(Failure) -> Value? {
        var found: Value?
        try statement(sql).run(values) { row throws(Failure) in
            do throws(UnreadableValue) {
                found = try read(row)
            } catch {
                throw Failure(error)
            }
        }
        return found
    }

    private func statement(_ sql: StaticString) throws(Failure) -> Statement<Failure> {
        // Many short statements may take long as well.
        if let allowance, allowance.isOver {
            throw Failure(SQLiteFailure(SQLITE_INTERRUPT, saying: "all the time for it has been used"))
        }
        let text = sql.description
        if let known = statements[text] { return known }
        let made = try Statement<Failure>(sql, on: connection)
        statements[text] = made
        return made
    }
}

extension Database {
    /// All of what `body` writes, or nothing. Others wait meanwhile.
    package func transaction<Value>(
        _ durability: Durability,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try prepare(for: durability)
        try execute("BEGIN IMMEDIATE")
        do throws(Failure) {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // Some failures have rolled back already, and the first failure is the one to report.
            if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func prepare(for durability: Durability) throws(Failure) {
        guard durability != self.durability else { return }
        switch durability {
        case .promised: try execute("PRAGMA synchronous = FULL")
        case .casual: try execute("PRAGMA synchronous = NORMAL")
        }
        self.durability = durability
    }
}
