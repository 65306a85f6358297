import ArchiveProperties
import CodingProperties
import GameState
import ScoreProperties
import SecureArchive

/// The actions of Huddle, and of programs over it, on a file from a stranger.
enum CaseRun {
    private static let schema: ArchiveSchema = {
        var schema = GameState.defaultSchema
        schema.allow(KeyedProperties.everything)
        schema.allow(ArchiveClass(withAnyFields: "Archived"))
        return schema
    }()
    private static let rules = try? GameRules(
        parsing: """
            merge gold = sum of changes
            merge time = union sorted by . descending
            merge **.score = max
            merge **.height = sum of changes
            merge **.age = newest
            show gold = gold
            """
    )

    /// The actions whose time and memory are measured.
    /// - Parameter begin: called before each action, which has a second of its own
    /// - Returns: the violated property; nil if all hold
    static func read(_ file: HostileCase, _ begin: () -> Void) -> String? {
        begin()
        if HighScores.isDatabase(file.bytes) {
            guard (try? HighScores(readingDatabase: file.bytes, log: file.log)) != nil else { return nil }
            _ = try? HighScores([.init("player 1", .whole(7))]).recorded(inDatabase: file.bytes, log: file.log)
            return nil
        }
        try? CodingProperties.decode(file.bytes, limits: ArchiveLimits())
        begin()
        let state: GameState
        do throws(ArchiveError) {
            state = try GameState(reading: file.bytes, schema: schema)
        } catch {
            guard error.message.utf8.count < 2_000 else { return "a message of \(error.message.utf8.count) bytes" }
            return file.expected == .sound && error.kind != .tooLarge ? "a sound file is refused: \(error)" : nil
        }
        if file.expected == .refused { return "a file is read that should be refused" }
        begin()
        return use(state)
    }

    private static func use(_ state: GameState) -> String? {
        if let game = KnownGame(recognising: state) {
            _ = game.faults(of: state, .tolerant)
            _ = game.summary(of: state)
            _ = GameState.merge(base: nil, mine: state, theirs: state, rules: game.rules)
        }
        _ = Summary(usualIn: state)
        if let rules {
            var other = state
            try? other.set(.integer(9), at: "gold")
            let mine = GameState.merge(base: state, mine: other, theirs: state, rules: rules.merging)
            let theirs = GameState.merge(base: state, mine: state, theirs: other, rules: rules.merging)
            // A conflict keeps the value of this side until a person chooses.
            if mine.conflicts.isEmpty, theirs.conflicts.isEmpty, mine.merged.root != theirs.merged.root {
                return "a merge depends on the side"
            }
            _ = Summary(of: state, by: rules.summary)
        }
        return nil
    }

    /// The violated property of the fuzz targets; nil if all hold.
    static func violation(of file: HostileCase) -> String? {
        let bytes = file.bytes
        if HighScores.isDatabase(bytes) {
            let length = UInt32(bytes.count)
            let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
            return ScoreProperties.violation(for: size + bytes + file.log)
        }
        return KeyedProperties.violation(for: bytes) ?? BinaryProperties.violation(for: bytes)
            ?? XMLProperties.violation(for: bytes) ?? JSONProperties.violation(for: bytes)
            ?? CodingProperties.violation(for: bytes)
    }
}
