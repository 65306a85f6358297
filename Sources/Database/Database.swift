import CSQLite

/// A connection to SQLite, for one thread at a time. It throws the errors of the module that uses it.
///
/// Statements are texts of the source, never made at run time, so that no value can become part of one.
package final class Database<Failure: DatabaseFailure> {
    let connection: OpaquePointer
    private var statements: [String: Statement<Failure>] = [:]
    private var durability: Durability?
    /// The allowance that the connection's progress handler checks, if there is one.
    let allowance: TimeAllowance?

    init(owning connection: OpaquePointer, allowance: TimeAllowance?) {
        self.connection = connection
        self.allowance = allowance
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(connection)
    }

    /// The number of rows changed since the database was opened.
    package var changeCount: Int64 { sqlite3_total_changes64(connection) }

    /// Runs several statements that take no values.
    package func execute(_ script: StaticString) throws(Failure) {
        // A `StaticString` is null-terminated.
        // because SQLite declares the same bytes as signed characters
        let code = script.utf8Start.withMemoryRebound(to: CChar.self, capacity: script.utf8CodeUnitCount + 1) {
            sqlite3_exec(connection, $0, nil, nil, nil)
        }
        guard code == SQLITE_OK else { throw Failure(SQLiteFailure(code, of: connection)) }
    }

    /// Runs a statement and ignores its result.
    package func run(_ sql: StaticString, _ values: SQLValue...) throws(Failure) {
        try statement(sql).run(values) { _ throws(Failure) in }
    }

    /// Passes each row of the result to a closure. A row is valid only during that call.
    package func forEachRow(
        _ sql: StaticString,
        _ values: [SQLValue] = [],
        _ take: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        try statement(sql).run(values, take)
    }

    /// The only row, or nil; an unreadable row throws.
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
        // Many short statements may take too long together.
        if let allowance, allowance.isOver {
            throw Failure(SQLiteFailure(SQLITE_INTERRUPT, saying: "it took too long"))
        }
        let text = sql.description
        if let known = statements[text] { return known }
        let made = try Statement<Failure>(sql, on: connection)
        statements[text] = made
        return made
    }
}

extension Database {
    /// Writes everything in `body`, or nothing. Other writers wait meanwhile.
    package func transaction<Value>(
        _ durability: Durability,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try prepare(for: durability)
        try run("BEGIN IMMEDIATE")
        do throws(Failure) {
            let value = try body()
            try run("COMMIT")
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
