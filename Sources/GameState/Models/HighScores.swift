import SecureArchive

/// Who has how many points, best first as most games keep it.
public struct HighScores: StateModel {
    /// One line of the list.
    public struct Entry: StateModel {
        /// Who.
        public var name = ""
        /// How many.
        public var score = ScoreNumber.whole(0)

        /// Nobody yet.
        public init() {}

        /// - Parameters:
        ///   - name: who
        ///   - score: how many
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

    /// In the list's order.
    public var entries: [Entry] = []

    /// Nobody has any yet.
    public init() {}

    /// - Parameter entries: in the list's order
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The game's key.
    public static let table = FieldTable<HighScores>([.required("hiscores", \.entries, .list(of: .model()))])

    /// A name keeps its best score: takes one in where it is better than what the name has, and keeps the list in order, if it was.
    /// - Returns: whether anything has changed
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
