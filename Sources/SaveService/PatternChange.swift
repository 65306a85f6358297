import Control
import Household
import SaveRules
import Vocabulary

/// A change of a game's patterns. New ones are added to the present ones, so that no pattern is lost by adding another.
struct PatternChange {
    private let key: String
    private let (added, dropped): ([String], [String])

    static let keys = ["ignore", "local"]
    /// The keys that remove patterns, for a game that may have some.
    static let droppingKeys = keys.map(droppingKey)

    private static func droppingKey(_ key: String) -> String { "no_\(key)" }

    /// - Parameter key: one of ``keys``
    init(_ fields: JSONFields, _ key: String) throws {
        self.key = key
        (added, dropped) = try RouteCall.asked {
            (try fields.texts(key) ?? [], try fields.texts(Self.droppingKey(key)) ?? [])
        }
        _ = try PathPatterns(meant: added)
    }

    /// True if the request changes patterns.
    var hasChanges: Bool { !added.isEmpty || !dropped.isEmpty }

    func apply(to patterns: inout PathPatterns, of set: SaveSetName) throws {
        guard hasChanges else { return }
        var lines = patterns.meantLines
        for line in dropped {
            guard patterns.lines.contains(line) else { throw HouseholdError.noPattern(line, key, set) }
            lines.removeAll { $0 == line }
        }
        // The last pattern that fits decides, so new ones come last.
        lines.removeAll(where: added.contains)
        for line in added where !lines.contains(line) { lines.append(line) }
        patterns = try PathPatterns(lines)
    }
}

extension HouseholdError {
    fileprivate static func noPattern(_ line: String, _ key: String, _ set: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.no-pattern",
            "“\(PrintableText(line, limit: 255))” is not a pattern of “\(key)” of \(set) here",
            nextStep: "`huddle show \(set)` lists them"
        )
    }
}
