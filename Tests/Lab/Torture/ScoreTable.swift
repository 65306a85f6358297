import FoundationEssentials

/// A game's table of high scores in JSON. Two machines may change it at once, and rules merge it.
struct ScoreTable: Codable {
    static let file = "scores.json"
    static let rules = "merge scores = union by name with max sorted by score descending\n"

    struct Line: Codable {
        var name: String
        var score: Int
    }

    var scores: [Line] = []

    init() {}

    init(parsing bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(ScoreTable.self, from: Data(bytes))
    }

    var best: [String: Int] { Dictionary(scores.map { ($0.name, $0.score) }, uniquingKeysWith: max) }

    /// Adds a played game: a score that is never lower than before.
    mutating func raise(_ name: String, by points: Int) {
        if let place = scores.firstIndex(where: { $0.name == name }) {
            scores[place].score += points
        } else {
            scores.append(Line(name: name, score: points))
        }
        scores.sort { ($0.score, $0.name) > ($1.score, $1.name) }
    }

    func encoded() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}
