/// What becomes of the rows of a table that is to say a list: as little as possible, and each row stays its player's, for a game
/// may keep more in it than a name and a score.
struct ScoreRowPlan {
    /// A row of the table.
    struct KnownRow: Equatable {
        let key: Int64
        let entry: HighScores.Entry
    }

    /// The rows that say something else from now on.
    private(set) var changes: [KnownRow] = []
    /// The rows that go.
    private(set) var removals: [Int64] = []
    /// What needs a new row.
    private(set) var additions: [HighScores.Entry] = []

    /// - Parameters:
    ///   - rows: what the table says
    ///   - wanted: what it is to say
    init(from rows: [KnownRow], to wanted: [HighScores.Entry]) {
        var (rows, wanted) = (rows, wanted)
        _ = Self.pair(&rows, &wanted) { [$0.name, $0.score.description] }
        for (row, entry) in Self.pair(&rows, &wanted, by: { [$0.name] }) {
            changes.append(KnownRow(key: row.key, entry: entry))
        }
        // What is left of both has got another name.
        for (row, entry) in zip(rows, wanted) { changes.append(KnownRow(key: row.key, entry: entry)) }
        removals = rows.dropFirst(wanted.count).map(\.key)
        additions = Array(wanted.dropFirst(rows.count))
    }

    /// Takes out of both what belongs together, each once, in order.
    private static func pair(
        _ rows: inout [KnownRow],
        _ wanted: inout [HighScores.Entry],
        by mark: (HighScores.Entry) -> [String]
    ) -> [(KnownRow, HighScores.Entry)] {
        // Backwards, so that the first is the last to be taken in and the first to be taken out.
        var open: [[String]: [KnownRow]] = [:]
        for row in rows.reversed() { open[mark(row.entry), default: []].append(row) }
        var pairs: [(KnownRow, HighScores.Entry)] = []
        var taken: Set<Int64> = []
        wanted.removeAll { entry in
            guard let row = open[mark(entry)]?.popLast() else { return false }
            pairs.append((row, entry))
            taken.insert(row.key)
            return true
        }
        rows.removeAll { taken.contains($0.key) }
        return pairs
    }
}
