import Database
import SecureArchive
import Vocabulary

/// A database with one known table of high scores.
struct ScoreDatabase {
    /// The largest number of rows. No list of high scores has more.
    static let rowLimit = 100_000

    let database: Database<StateError>
    let table: ScoreTable

    /// - Throws: if it has no known table
    init(_ database: Database<StateError>) throws(StateError) {
        for table in ScoreTable.allCases {
            guard let columns = try database.ordinaryColumns(ofTable: table.name) else { continue }
            let missing = table.columns.subtracting(columns)
            guard missing.isEmpty else {
                let list = missing.sorted().joined(separator: ", ")
                throw StateError(.noScores, "the table \(table.name) has no \(list)")
            }
            self.database = database
            self.table = table
            return
        }
        throw StateError(.noScores, "there is no table of high scores in it, neither hiscores nor ZHISCORE")
    }

    /// All scores, in the table's order.
    func scores() throws(StateError) -> HighScores {
        var entries: [HighScores.Entry] = []
        try forEachEntry(table.all) { _, entry in entries.append(entry) }
        return HighScores(entries)
    }

    /// Returns all scores with the keys of their rows, and the keys of rows whose score is a text.
    private func rows() throws(StateError) -> (rows: [ScoreRowPlan.KnownRow], texts: Set<Int64>) {
        try requireNumbers()
        var (rows, keys, texts) = ([ScoreRowPlan.KnownRow](), Set<Int64>(), Set<Int64>())
        try forEachEntry(table.allWithKeys) { row, entry throws(StateError) in
            guard case .integer(let key) = try value(row, "key", at: "hiscores") else {
                throw StateError(.damaged, "a row of the table \(table.name) has no number")
            }
            // A column of the table may have the name of the row number, with any values.
            guard keys.insert(key).inserted else {
                throw StateError(
                    .onlyTheGame,
                    "several rows of the table \(table.name) have one number, so only the game can change them"
                )
            }
            rows.append(ScoreRowPlan.KnownRow(key: key, entry: entry))
            if try value(row, "score", at: "hiscores").isText { texts.insert(key) }
        }
        return (rows, texts)
    }

    private func forEachEntry(
        _ sql: StaticString,
        _ take: (Row, HighScores.Entry) throws(StateError) -> Void
    ) throws(StateError) {
        var count = 0
        try database.forEachRow(sql) { row throws(StateError) in
            guard count < Self.rowLimit else {
                throw StateError(.tooLarge, "the table \(table.name) has more than \(Self.rowLimit) rows")
            }
            try take(row, try entry(row, at: StatePath([.key("hiscores"), .index(count)])))
            count += 1
        }
    }

    private func entry(_ row: Row, at path: StatePath) throws(StateError) -> HighScores.Entry {
        let name = try value(row, "name", at: path)
        guard case .text(let name) = name else {
            throw StateError(.damaged, "the name is \(name.kindName), not a text", at: path.appending(.key("name")))
        }
        let score = try value(row, "score", at: path)
        guard let score = ScoreNumber(score) else {
            throw StateError(
                .damaged,
                score.isReal ? "the score is not finite" : "the score is \(score.kindName), not a number",
                at: path.appending(.key("score"))
            )
        }
        return HighScores.Entry(name, score)
    }

    private func value(_ row: Row, _ column: String, at path: StatePath) throws(StateError) -> SQLValue {
        do throws(UnreadableValue) {
            return try row.value(column)
        } catch {
            throw StateError(
                .damaged,
                "it is a text that is not UTF-8",
                at: path.appending(.key(column)),
                cause: error
            )
        }
    }
}

extension ScoreDatabase {
    /// Records scores by the rule that a name keeps its best: all of them, or none.
    /// - Returns: the number of scores that changed anything
    func record(_ entries: [HighScores.Entry]) throws(StateError) -> Int {
        try requireNoTriggers()
        return try database.transaction(.promised) { () throws(StateError) in
            var changed = 0
            for entry in entries where try record(entry) { changed += 1 }
            return changed
        }
    }

    /// Replaces the entries of the table with these: all of them, or none. The other columns of a row stay with its
    /// player.
    func replace(with entries: [HighScores.Entry]) throws(StateError) {
        try requireNoTriggers()
        let (rows, texts) = try rows()
        let plan = ScoreRowPlan(from: rows, to: entries)
        guard plan.removals.isEmpty || table == .plain else {
            // Only the game knows the other references to that row in the store.
            throw StateError(.onlyTheGame, "only the game can take scores out of a Core Data store")
        }
        try database.transaction(.promised) { () throws(StateError) in
            for key in plan.removals { try database.run("DELETE FROM hiscores WHERE rowid = ?", .integer(key)) }
            for row in plan.changes {
                let score = row.entry.score.column(asText: texts.contains(row.key))
                try database.run(table.change, .text(row.entry.name), score, .integer(row.key))
            }
            for entry in plan.additions { try insert(entry) }
        }
    }

    private func record(_ entry: HighScores.Entry) throws(StateError) -> Bool {
        // SQLite can't find the best score: among texts “9” is more than “10”, and any text is more than any number.
        var best: (score: ScoreNumber, found: SQLValue)?
        var count = 0
        try database.forEachRow(table.ofName, [.text(entry.name)]) { row throws(StateError) in
            count += 1
            guard count <= Self.rowLimit else {
                throw StateError(
                    .tooLarge,
                    "the table \(table.name) has more than \(Self.rowLimit) rows"
                )
            }
            let found = try value(row, "score", at: "hiscores")
            if case .null = found { return }
            guard let score = ScoreNumber(found) else {
                throw StateError(.wrongKind, "the score of a name is \(found.kindName), not a number", at: "hiscores")
            }
            if best?.score.isLess(than: score) ?? true { best = (score, found) }
        }
        guard let best else {
            try insert(entry)
            return true
        }
        guard best.score.isLess(than: entry.score) else { return false }
        let score = entry.score.column(asText: best.found.isText)
        try database.run(table.improve, score, .text(entry.name), best.found)
        return true
    }

    /// True if scores are texts, as far as the first row shows.
    private func keepsTexts() throws(StateError) -> Bool {
        var isText = false
        try database.forEachRow(table.first) { row throws(StateError) in
            isText = try value(row, "score", at: "hiscores").isText
        }
        return isText
    }

    private func insert(_ entry: HighScores.Entry) throws(StateError) {
        let score = entry.score.column(asText: try keepsTexts())
        switch table {
        case .plain:
            try database.run(
                "INSERT INTO hiscores (name, score) VALUES (?, ?)",
                .text(entry.name),
                score
            )
        case .coreData:
            let (key, entity) = try nextCoreDataKey()
            try database.run(
                "INSERT INTO ZHISCORE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSCORE) VALUES (?, ?, 1, ?, ?)",
                .integer(key),
                .integer(entity),
                .text(entry.name),
                score
            )
        }
    }

    /// A trigger is the file's own code and would not run here, so its data would no longer match.
    private func requireNoTriggers() throws(StateError) {
        let count = try database.row(
            "SELECT count(*) AS count FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
            .text(table.name)
        ) { row throws(UnreadableValue) in try row.integer("count") }
        guard count == 0 else {
            throw StateError(
                .onlyTheGame,
                "the table \(table.name) has triggers of its own, so only the game can change it"
            )
        }
    }

    private func requireNumbers() throws(StateError) {
        let count = try database.row(
            "SELECT count(*) AS count FROM pragma_table_list(?) WHERE schema = 'main' AND wr = 1",
            .text(table.name)
        ) { row throws(UnreadableValue) in try row.integer("count") }
        guard count == 0 else {
            throw StateError(
                .onlyTheGame,
                "the rows of the table \(table.name) have no numbers, so only the game can change them"
            )
        }
    }

    /// Core Data counts the keys of each entity in a table of its own. An entity below another is counted with the
    /// topmost one.
    private func nextCoreDataKey() throws(StateError) -> (key: Int64, entity: Int64) {
        guard let columns = try database.ordinaryColumns(ofTable: "Z_PRIMARYKEY"),
            columns.isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"])
        else {
            throw StateError(
                .database,
                "the table Z_PRIMARYKEY, which every Core Data store has, has other columns"
            )
        }
        guard
            let own = try counter(
                "SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = ? COLLATE NOCASE",
                .text("HiScore")
            )
        else { throw StateError(.database, "Z_PRIMARYKEY does not count any entity HiScore") }
        var top = own
        for _ in 0..<16 where top.above != 0 {
            let next = try counter(
                "SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?",
                .integer(top.above)
            )
            guard let next else { throw StateError(.database, "Z_PRIMARYKEY names an entity that it does not count") }
            top = next
        }
        guard top.above == 0 else {
            throw StateError(.database, "Z_PRIMARYKEY has entities below each other without end")
        }
        let highest = try database.row("SELECT coalesce(max(Z_PK), 0) AS key FROM ZHISCORE") {
            row throws(UnreadableValue) in
            try row.integer("key")
        }
        let (key, overflow) = max(top.highest, highest ?? 0).addingReportingOverflow(1)
        guard !overflow, key > 0 else { throw StateError(.database, "the store has used up its keys") }
        try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", .integer(key), .integer(top.entity))
        return (key, own.entity)
    }

    private func counter(
        _ sql: StaticString,
        _ which: SQLValue
    ) throws(StateError) -> (entity: Int64, above: Int64, highest: Int64)? {
        try database.row(sql, which) { row throws(UnreadableValue) in
            (
                try row.integer("Z_ENT"), try row.optionalInteger("Z_SUPER") ?? 0,
                try row.optionalInteger("Z_MAX") ?? 0
            )
        }
    }
}

extension ScoreNumber {
    init?(_ value: SQLValue) {
        switch value {
        case .integer(let number): self = .whole(number)
        case .real(let number): self.init(number)
        // In quotes, a number stays a text in a column of texts or without a type.
        case .text(let text): self.init(text: text)
        case .null, .bytes: return nil
        }
    }

    /// The value for a new row.
    var column: SQLValue { column(asText: false) }

    /// The value for a row whose column has texts.
    func column(asText isText: Bool) -> SQLValue {
        if isText { return .text(description) }
        return switch self {
        case .whole(let number): .integer(number)
        case .real(let number): .real(number)
        }
    }
}

extension SQLValue {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    fileprivate var isReal: Bool { if case .real = self { true } else { false } }

    fileprivate var kindName: String {
        switch self {
        case .null: "nothing"
        case .integer: "an integer"
        case .real: "a real"
        case .text: "a text"
        case .bytes: "bytes"
        }
    }
}
