import GameState

/// The properties of any bytes that are read as a database of scores with a log beside it.
public enum ScoreProperties {
    /// The violated property; nil if all hold.
    /// - Parameter input: the size of the file in four bytes; the file; the log
    public static func violation(for input: [UInt8]) -> String? {
        let stated = input.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let rest = input.dropFirst(4)
        return violation(file: Array(rest.prefix(stated)), log: Array(rest.dropFirst(stated)))
    }

    private static func violation(file: [UInt8], log: [UInt8]) -> String? {
        guard let scores = try? HighScores(readingDatabase: file, log: log) else { return nil }
        let news = HighScores([HighScores.Entry("fuzz", .whole(7))])
        // A table with triggers, constraints or keys of its own may refuse them.
        if let taken = try? news.recorded(inDatabase: file, log: log) {
            guard let after = try? HighScores(readingDatabase: taken) else { return "what was written is not read" }
            guard after.entries.contains(where: { $0.name == "fuzz" }) else { return "a score is lost" }
            guard after.entries.count >= scores.entries.count else { return "a player is lost" }
        }
        if let same = try? scores.replacing(inDatabase: file, log: log) {
            guard let again = try? HighScores(readingDatabase: same) else { return "what was kept is not read" }
            guard again == scores else { return "what was kept is another" }
        }
        return nil
    }
}
