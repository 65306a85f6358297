import Control
import Household
import SaveRules
import Vocabulary

/// Patterns of a set that are said: they come to those that are there, as nobody should lose one by adding another.
struct PatternChange {
    private let key: String
    private let (added, dropped): ([String], [String])

    static let keys = ["ignore", "local"]
    /// Where there may be patterns already.
    static let droppingKeys = keys.map(droppingKey)

    private static func droppingKey(_ key: String) -> String { "no_\(key)" }

    /// - Parameter key: one of those
    init(_ fields: JSONFields, _ key: String) throws {
        self.key = key
        (added, dropped) = try RouteCall.asked {
            (try fields.texts(key) ?? [], try fields.texts(Self.droppingKey(key)) ?? [])
        }
        _ = try PathPatterns(meant: added)
    }

    /// Whether anything was said.
    var isSaid: Bool { !added.isEmpty || !dropped.isEmpty }

    func apply(to patterns: inout PathPatterns, of set: SaveSetName) throws {
        guard isSaid else { return }
        var lines = patterns.meantLines
        for line in dropped {
            guard patterns.lines.contains(line) else { throw HouseholdError.noPattern(line, key, set) }
            lines.removeAll { $0 == line }
        }
        // The last that fits decides, so what was said last stands last.
        lines.removeAll(where: added.contains)
        for line in added where !lines.contains(line) { lines.append(line) }
        patterns = try PathPatterns(lines)
    }
}

extension HouseholdError {
    fileprivate static func noPattern(_ line: String, _ key: String, _ set: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.no-pattern",
            "“\(PrintableText(line, limit: 255))” is none of the patterns of “\(key)” that \(set) has here",
            nextStep: "`huddle show \(set)` lists them"
        )
    }
}
