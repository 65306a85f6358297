import SecureArchive

/// A list of players with their scores, best first as in most games.
public struct HighScores: StateModel {
    /// One line of the list.
    public struct Entry: StateModel {
        /// The player.
        public var name = ""
        /// The score.
        public var score = ScoreNumber.whole(0)

        /// An entry without a name.
        public init() {}

        /// - Parameters:
        ///   - name: the player
        ///   - score: the score
        public init(_ name: String, _ score: ScoreNumber) {
            self.name = name
            self.score = score
        }

        /// The game's keys.
        public static let table = FieldTable<Entry>([
            .required("name", \.name, .text),
            .required("score", \.score, .score),
        ])
    }

    /// The entries in the list's order.
    public var entries: [Entry] = []

    /// A list without entries.
    public init() {}

    /// - Parameter entries: in the list's order
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The game's key.
    public static let table = FieldTable<HighScores>([.required("hiscores", \.entries, .list(of: .model()))])

    /// Records a score by the rule that a name keeps its best, and keeps the order of a sorted list.
    /// - Returns: true if anything changed
    @discardableResult
    public mutating func record(_ name: String, _ score: ScoreNumber) -> Bool {
        var entry = Entry(name, score)
        let own = entries.indices.filter { entries[$0].name.isLiterally(name) }
        if let best = own.max(by: { entries[$0].score.isLess(than: entries[$1].score) }) {
            guard entries[best].score.isLess(than: score) else { return false }
            entry = entries.remove(at: best)
            entry.score = score
        }
        let place = entries.firstIndex { $0.score.isLess(than: score) } ?? entries.endIndex
        entries.insert(entry, at: place)
        return true
    }
}
