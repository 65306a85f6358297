/// The changes to the rows of a table for a new list: as few as possible. Each row stays with its player, because a
/// game may keep more in it than a name and a score.
struct ScoreRowPlan {
    /// A row of the table.
    struct KnownRow: Equatable {
        let key: Int64
        let entry: HighScores.Entry
    }

    /// The rows with new content.
    private(set) var changes: [KnownRow] = []
    /// The rows to remove.
    private(set) var removals: [Int64] = []
    /// The entries that need a new row.
    private(set) var additions: [HighScores.Entry] = []

    /// - Parameters:
    ///   - rows: the present rows
    ///   - wanted: the new list
    init(from rows: [KnownRow], to wanted: [HighScores.Entry]) {
        var (rows, wanted) = (rows, wanted)
        _ = Self.pair(&rows, &wanted) { [$0.name, $0.score.description] }
        for (row, entry) in Self.pair(&rows, &wanted, by: { [$0.name] }) {
            changes.append(KnownRow(key: row.key, entry: entry))
        }
        // The rest of both has new names.
        for (row, entry) in zip(rows, wanted) { changes.append(KnownRow(key: row.key, entry: entry)) }
        removals = rows.dropFirst(wanted.count).map(\.key)
        additions = Array(wanted.dropFirst(rows.count))
    }

    /// Removes matching rows and entries from both, each once, in order.
    private static func pair(
        _ rows: inout [KnownRow],
        _ wanted: inout [HighScores.Entry],
        by mark: (HighScores.Entry) -> [String]
    ) -> [(KnownRow, HighScores.Entry)] {
        // Backwards, so that the first is added last and removed first.
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
