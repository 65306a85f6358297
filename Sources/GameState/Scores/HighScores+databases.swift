import Database

/// High scores in SQLite: a table `hiscores(name, score)`, or a Core Data store with the table `ZHISCORE`.
extension HighScores {
    /// True if bytes begin as an SQLite database does.
    public static func isDatabase(_ bytes: [UInt8]) -> Bool { DatabaseImage.isDatabase(bytes) }

    /// Reads the scores from the bytes of a database. No file is touched, and no code in the database runs.
    /// - Parameter log: the bytes of the file beside it whose name ends in `-wal`, which may have the newest scores
    public init(readingDatabase bytes: [UInt8], log: [UInt8] = []) throws(StateError) {
        self = try Self.opened(bytes, log).scores()
    }

    /// The bytes of a database with these scores recorded by the rule that a name keeps its best. Everything else in it
    /// stays.
    public func recorded(inDatabase bytes: [UInt8], log: [UInt8] = []) throws(StateError) -> [UInt8] {
        try Self.changed(bytes, log) { scores throws(StateError) in _ = try scores.record(entries) }
    }

    /// The bytes of a database whose table has exactly these scores. Everything else in it stays, and so do the other
    /// columns of a player's row. New rows are at the end.
    public func replacing(inDatabase bytes: [UInt8], log: [UInt8] = []) throws(StateError) -> [UInt8] {
        try Self.changed(bytes, log) { scores throws(StateError) in try scores.replace(with: entries) }
    }

    private static func changed(
        _ bytes: [UInt8],
        _ log: [UInt8],
        _ change: (ScoreDatabase) throws(StateError) -> Void
    ) throws(StateError) -> [UInt8] {
        let scores = try opened(bytes, log)
        try change(scores)
        var image = try scores.database.image()
        // In memory the database records that it has no log. On disk it keeps its old setting.
        if bytes.count >= 100, image.count >= 100 { image[18...19] = bytes[18...19] }
        return image
    }

    /// The bytes of a new database with these scores in a table `hiscores(name, score)`.
    public func database() throws(StateError) -> [UInt8] {
        let database = try Database<StateError>(at: ":memory:")
        try database.execute("CREATE TABLE hiscores (name TEXT, score INTEGER)")
        for entry in entries {
            try database.run("INSERT INTO hiscores (name, score) VALUES (?, ?)", .text(entry.name), entry.score.column)
        }
        return try database.image()
    }

    private static func opened(_ bytes: [UInt8], _ log: [UInt8]) throws(StateError) -> ScoreDatabase {
        let image: DatabaseImage
        do throws(SQLiteFailure) {
            image = try DatabaseImage(file: bytes, log: log)
        } catch {
            throw StateError(error)
        }
        return try ScoreDatabase(Database(image: image))
    }
}
