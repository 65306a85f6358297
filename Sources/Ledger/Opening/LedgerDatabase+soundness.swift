import Database

/// What a database goes through before anything is believed or written.
extension LedgerDatabase {
    /// Why a file can't be used as a ledger.
    struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes a database ready that holds a ledger or nothing yet.
    /// - Parameter isReadWhole: whether what is known of versions is looked through as well
    func makeReady(isReadWhole: Bool) throws {
        // FULL is what a database begins with; each transaction says what it needs.
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

    /// Indexes are compared with their tables as well: a peer that an index hides would not be found to be blocked.
    ///
    /// The known versions may be millions. Then each of them is checked by its digest when it is read, and what is wrong with their tables otherwise
    /// makes the whole suspect once somebody meets with it.
    private func requireIntegrity(ofVersions isReadWhole: Bool) throws {
        let (sentences, dangling) = (
            isReadWhole ? try integrity() : try integrityBesideVersions(),
            isReadWhole ? try danglingTables() : try danglingTablesBesideVersions()
        )
        guard sentences.unreadable == 0, sentences.values.allSatisfy({ $0 == "ok" }) else {
            throw Damage(description: "it does not hold together")
        }
        guard dangling.values.isEmpty else { throw Damage(description: "it refers to what is not there") }
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

    /// Others may not open it meanwhile, but a power cut may come between: each step counts with its number or not at all.
    private func migrate(from version: Int64) throws {
        for step in Int(version)..<Schema.steps.count {
            try transaction(.promised) { () throws(LedgerError) in
                try execute(Schema.steps[step])
            }
        }
    }

    /// The tables must be those that the steps make, or statements would fail later, in the midst of something.
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
