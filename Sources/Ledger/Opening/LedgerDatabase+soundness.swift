import Database

/// Checks of a database before anything in it is trusted or written.
extension LedgerDatabase {
    /// A reason why a file can't be used as a ledger.
    struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// Checks a database that holds a ledger or nothing, and migrates it to the current schema.
    /// - Parameter isReadWhole: true to check the table of known versions as well
    func makeReady(isReadWhole: Bool) throws {
        // FULL is the default of a database; each transaction sets the mode that it needs.
        try execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        let version = try number("PRAGMA user_version", "user_version")
        let isEmpty = try number("SELECT count(*) AS count FROM sqlite_schema", "count") == 0
        if !isEmpty || version != 0 { try requireOwn(version) }
        try requireIntegrity(ofVersions: isReadWhole)
        try execute("PRAGMA journal_mode = WAL")
        if version < Schema.version { try migrate(from: version) }
        try requireSchema()
        trust()
    }

    private func requireOwn(_ version: Int64) throws {
        guard try number("PRAGMA application_id", "application_id") == Schema.applicationID else {
            throw Damage(description: "it is a database of another program")
        }
        guard version <= Schema.version else {
            throw LedgerError(
                LedgerError.newerCode,
                "the ledger was written by a newer huddle (form \(version), this one knows \(Schema.version))",
                nextStep: "install that huddle again, or move the ledger's files away to begin a new one"
            )
        }
        guard version > 0 else { throw Damage(description: "it has tables and no version") }
    }

    /// Compares indexes with their tables as well: otherwise a blocked peer that an index misses would not be found to
    /// be blocked.
    ///
    /// There may be millions of known versions. In that case the check leaves them out. Each is compared with its
    /// digest when it is read. If a reader finds other damage in their tables, the next opening checks everything.
    private func requireIntegrity(ofVersions isReadWhole: Bool) throws {
        let (sentences, dangling) = (
            isReadWhole ? try integrity() : try integrityBesideVersions(),
            isReadWhole ? try danglingTables() : try danglingTablesBesideVersions()
        )
        guard sentences.unreadable == 0, sentences.values.allSatisfy({ $0 == "ok" }) else {
            throw Damage(description: "it does not hold together")
        }
        guard dangling.values.isEmpty else { throw Damage(description: "it refers to missing rows") }
    }

    private func integrity() throws(LedgerError) -> Listed<String> {
        try rows("PRAGMA integrity_check(1)") { row throws(UnreadableValue) in try row.text("integrity_check") }
    }

    private func danglingTables() throws(LedgerError) -> Listed<String> {
        try rows("PRAGMA foreign_key_check") { row throws(UnreadableValue) in try row.text("table") }
    }

    private func integrityBesideVersions() throws(LedgerError) -> Listed<String> {
        try rows(
            """
            SELECT checked.integrity_check AS sentence FROM sqlite_schema AS listed,
                pragma_integrity_check(listed.name) AS checked
            WHERE listed.type = 'table' AND listed.name <> 'save_snapshots'
            """
        ) { row throws(UnreadableValue) in try row.text("sentence") }
    }

    private func danglingTablesBesideVersions() throws(LedgerError) -> Listed<String> {
        try rows(
            """
            SELECT listed.name AS name FROM sqlite_schema AS listed, pragma_foreign_key_check(listed.name)
            WHERE listed.type = 'table' AND listed.name <> 'save_snapshots'
            """
        ) { row throws(UnreadableValue) in try row.text("name") }
    }

    /// Migrates in steps. No other program can open the database meanwhile. A power cut may come in between, so each
    /// step and its number are one transaction.
    private func migrate(from version: Int64) throws {
        for step in Int(version)..<Schema.steps.count {
            try transaction(.promised) { () throws(LedgerError) in
                try execute(Schema.steps[step])
            }
        }
    }

    /// Requires the tables that the steps make: otherwise statements would fail later, in the middle of other work.
    private func requireSchema() throws {
        let model = try LedgerDatabase(at: ":memory:")
        for step in Schema.steps { try model.execute(step) }
        let wanted = try model.objects()
        guard try wanted.isSubset(of: objects()) else {
            throw Damage(description: "its tables are not those of a ledger")
        }
    }

    private func objects() throws(LedgerError) -> Set<String> {
        let found = try rows("SELECT type || ' ' || name || ' ' || coalesce(sql, '') AS made FROM sqlite_schema") {
            row throws(UnreadableValue) in try row.text("made")
        }
        return Set(found.values)
    }

    private func number(_ question: StaticString, _ column: String) throws(LedgerError) -> Int64 {
        try row(question) { row throws(UnreadableValue) in try row.integer(column) } ?? 0
    }
}
