import CSQLite

/// The functions that an untrusted schema may use in its columns, constraints and indexes, and that this
/// module's own statements use. Their run time hardly depends on their arguments. All others, such as
/// `replace` or `like`, could run for minutes between two checks of the clock.
private let allowedFunctions: Set<String> = [
    "abs", "ceil", "ceiling", "coalesce", "count", "current_date", "current_time", "current_timestamp", "date",
    "datetime", "floor", "ifnull", "iif", "julianday", "length", "likelihood", "likely", "max", "min", "mod",
    "nullif", "round", "sign", "substr", "substring", "sum", "time", "total", "trunc", "typeof", "unicode", "unixepoch",
    "unlikely",
]

/// The checks of a file from another program before the first query.
extension Database {
    /// Disables all code in the file (triggers, views, functions in its schema), bounds its use of memory,
    /// and starts the clock.
    func distrust(_ limits: DatabaseLimits, _ allowance: TimeAllowance) throws(Failure) {
        guard huddle_distrust(connection) == SQLITE_OK else {
            throw Failure(SQLiteFailure(SQLITE_MISUSE, saying: "this SQLite can't treat a file as untrusted"))
        }
        let bounds = [
            (SQLITE_LIMIT_LENGTH, limits.valueBytes), (SQLITE_LIMIT_SQL_LENGTH, 16 << 10), (SQLITE_LIMIT_COLUMN, 1000),
            (SQLITE_LIMIT_EXPR_DEPTH, 20), (SQLITE_LIMIT_COMPOUND_SELECT, 3), (SQLITE_LIMIT_VDBE_OP, 25_000),
            (SQLITE_LIMIT_FUNCTION_ARG, 8), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
            (SQLITE_LIMIT_VARIABLE_NUMBER, 16), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, bound) in bounds { sqlite3_limit(connection, limit, CInt(clamping: bound)) }
        allowance.watch(connection)
        try execute(
            """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
            PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY;
            """
        )
        try forgetFunctions()
    }

    /// Removes SQLite's functions that are not allowed. A column that is computed with one of them is then
    /// unreadable; nothing else is lost.
    private func forgetFunctions() throws(Failure) {
        var forgotten: [(name: String, count: CInt)] = []
        try forEachRow("PRAGMA function_list") { row throws(Failure) in
            let (name, count) = try Self.reading { () throws(UnreadableValue) in
                (try row.text("name"), try row.integer("narg"))
            }
            if !allowedFunctions.contains(name) { forgotten.append((name, CInt(clamping: count))) }
        }
        for (name, count) in forgotten {
            let code = sqlite3_create_function_v2(connection, name, count, SQLITE_UTF8, nil, nil, nil, nil, nil)
            guard code == SQLITE_OK else { throw Failure(SQLiteFailure(code, of: connection)) }
        }
    }

    /// Checks that the file is consistent and not larger than allowed.
    func requireSound(_ limits: DatabaseLimits) throws(Failure) {
        let pages = try row("PRAGMA page_count") { row throws(UnreadableValue) in try row.integer("page_count") }
        let size = try row("PRAGMA page_size") { row throws(UnreadableValue) in try row.integer("page_size") }
        let (bytes, overflow) = (pages ?? 0).multipliedReportingOverflow(by: size ?? 0)
        guard !overflow, bytes <= Int64(limits.bytes) else {
            throw Failure(SQLiteFailure(SQLITE_TOOBIG, saying: "the database is larger than \(limits.bytes) bytes"))
        }
        let verdict = try row("PRAGMA quick_check(1)") { row throws(UnreadableValue) in try row.text("quick_check") }
        guard verdict == "ok" else {
            throw Failure(SQLiteFailure(SQLITE_CORRUPT, saying: "the database is damaged"))
        }
    }

    /// The ordinary columns of an ordinary table, by their names in capitals; nil if there is no such table.
    /// Views, virtual tables and computed columns are excluded: a query of them would run code from the file.
    package func ordinaryColumns(ofTable name: String) throws(Failure) -> Set<String>? {
        var isTable = false
        try forEachRow("SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE", [.text(name)]) {
            row throws(Failure) in
            let (type, sql) = try Self.reading { () throws(UnreadableValue) in
                (try row.text("type"), try row.optionalText("sql"))
            }
            // SQLite itself writes these first words, with this spelling.
            isTable = type == "table" && sql?.hasPrefix("CREATE TABLE") == true
        }
        guard isTable else { return nil }
        var columns: Set<String> = []
        try forEachRow("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", [.text(name)]) {
            row throws(Failure) in
            columns.insert(try Self.reading { () throws(UnreadableValue) in try row.text("name") }.uppercased())
        }
        return columns
    }

    private static func reading<Value>(_ read: () throws(UnreadableValue) -> Value) throws(Failure) -> Value {
        do throws(UnreadableValue) {
            return try read()
        } catch {
            throw Failure(error)
        }
    }
}
