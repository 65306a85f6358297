import Database

/// What a database goes through before anything is believed or written.
extension LedgerDatabase {
    /// Why a file can't be used as a ledger.
    struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes a database ready that holds a ledger or nothing yet.
    func makeReady() throws {
        // FULL is what a database begins with; each transaction says what it needs.
        try execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        let version = try number("PRAGMA user_version", "user_version")
        let isEmpty = try number("SELECT count(*) AS count FROM sqlite_schema", "count") == 0
        if !isEmpty || version != 0 { try requireOwn(version) }
        try requireIntegrity()
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

    private func requireIntegrity() throws {
        // Indexes are compared with their tables as well: a peer that an index hides would not be found to be blocked.
        let sentence = try row("PRAGMA integrity_check(1)") { row throws(UnreadableValue) in
            try row.text("integrity_check")
        }
        guard sentence == "ok" else { throw Damage(description: "it does not hold together") }
        let dangling = try rows("PRAGMA foreign_key_check") { row throws(UnreadableValue) in try row.text("table") }
        guard dangling.values.isEmpty else { throw Damage(description: "it refers to what is not there") }
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
