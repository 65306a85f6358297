import CSQLite

/// One connection to SQLite, used by one thread at a time.
///
/// Statements are texts of the source, never made at run time, so that no value can become part of one.
final class Database {
    /// How long a statement waits for another program's writing to end.
    private static let patienceMilliseconds: CInt = 5000

    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var durability: Durability?

    /// Opens a file that exists, or a database in memory.
    init(at path: String) throws(LedgerError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let failure = SQLiteFailure(code, of: opened)
            sqlite3_close_v2(opened)
            throw LedgerError(failure)
        }
        connection = opened
        sqlite3_busy_timeout(opened, Self.patienceMilliseconds)
        huddle_defend(opened)
        huddle_keep_log_on_close(opened, 1)
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(connection)
    }

    /// Has the log written into the file when the last one closes it. Until this is called the file may be damaged, and what
    /// is set aside is to be what was found.
    func trust() {
        huddle_keep_log_on_close(connection, 0)
    }

    /// How many rows have been changed since the opening.
    var changeCount: Int64 { sqlite3_total_changes64(connection) }

    /// Runs several statements that take no values.
    func execute(_ script: StaticString) throws(LedgerError) {
        // A text of the source ends with a zero of its own.
        // because SQLite counts the same bytes as signed characters
        let code = script.utf8Start.withMemoryRebound(to: CChar.self, capacity: script.utf8CodeUnitCount + 1) {
            sqlite3_exec(connection, $0, nil, nil, nil)
        }
        guard code == SQLITE_OK else { throw LedgerError(SQLiteFailure(code, of: connection)) }
    }

    /// Runs a statement whose answer, if any, does not matter.
    func run(_ sql: StaticString, _ values: SQLValue...) throws(LedgerError) {
        try statement(sql).run(values) { _ throws(LedgerError) in }
    }

    /// Every row that can be understood, and how many can't.
    func rows<Value>(
        _ sql: StaticString,
        _ values: SQLValue...,
        read: (Row) throws(UnreadableValue) -> Value
    ) throws(LedgerError) -> Listed<Value> {
        var found: [Value] = []
        var unreadable = 0
        try statement(sql).run(values) { row throws(LedgerError) in
            do throws(UnreadableValue) {
                found.append(try read(row))
            } catch {
                unreadable += 1
            }
        }
        return Listed(found, unreadable: unreadable)
    }

    /// The one row there is, or nil; one that can't be understood is an error.
    func row<Value>(
        _ sql: StaticString,
        _ values: SQLValue...,
        read: (Row) throws(UnreadableValue) -> Value
    ) throws(LedgerError) -> Value? {
        var found: Value?
        try statement(sql).run(values) { row throws(LedgerError) in
            do throws(UnreadableValue) {
                found = try read(row)
            } catch {
                throw .unreadable(error)
            }
        }
        return found
    }

    private func statement(_ sql: StaticString) throws(LedgerError) -> Statement {
        let text = sql.description
        if let known = statements[text] { return known }
        let made = try Statement(sql, on: connection)
        statements[text] = made
        return made
    }
}

extension Database {
    /// What is to survive.
    enum Durability {
        /// Once written, it survives a power cut: promises depend on it.
        case promised
        /// It survives the end of the program at any instant; a power cut may take the last of it.
        case casual
    }

    /// All of what `body` writes, or nothing. Others wait meanwhile.
    func transaction<Value>(
        _ durability: Durability,
        _ body: () throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        try prepare(for: durability)
        try execute("BEGIN IMMEDIATE")
        do throws(LedgerError) {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // Some failures have rolled back already, and the first failure is the one to report.
            if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func prepare(for durability: Durability) throws(LedgerError) {
        guard durability != self.durability else { return }
        switch durability {
        case .promised: try execute("PRAGMA synchronous = FULL")
        case .casual: try execute("PRAGMA synchronous = NORMAL")
        }
        self.durability = durability
    }
}
