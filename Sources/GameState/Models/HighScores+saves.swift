import SecureArchive

extension HighScores: SavedGame {
    static let game = "high scores"

    static func isSave(_ state: GameState) -> Bool { (try? state.elements(at: "hiscores")) != nil }

    /// A name keeps its best score.
    static let rules = MergeRules("merge hiscores = union by name with max sorted by score descending")

    var summary: [Summary.Line] {
        guard let best = entries.max(by: { $0.score.isLess(than: $1.score) }) else {
            return [Summary.Line("players", "none yet", .array([]))]
        }
        var names: [String] = []
        var seen: Set<String> = []
        for entry in entries where seen.insert(entry.name).inserted { names.append(entry.name) }
        let shown = FirstOfMany(names, of: names.count).description
        return [
            Summary.Line("score", "\(best.score) (\(best.name))", best.score.value),
            Summary.Line("players", shown, .array(names.map { .string($0) })),
        ]
    }
}
