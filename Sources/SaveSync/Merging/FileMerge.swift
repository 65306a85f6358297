import GameState
import Vocabulary

/// Merges two versions of a single file whose format is known.
struct FileMerge {
    /// The game's own rules, which go before those of known games; nil if it has none.
    let rules: MergeRules?
    /// True if both versions come from a common one that is no longer here.
    var hasLostBase = false

    /// Returns true if there are rules by which such a file is merged.
    /// - Parameter bytes: the contents; nil if the file was not read
    func knows(_ bytes: [UInt8]?) throws -> Bool {
        guard let bytes else { return false }
        if HighScores.isDatabase(bytes) { return (try? HighScores(readingDatabase: bytes)) != nil }
        guard let state = try? GameState(reading: bytes) else { return false }
        return rules != nil || KnownGame(recognising: state) != nil
    }

    /// Merges both; nil if no rule decides.
    func merged(base: [UInt8]?, _ one: [UInt8], _ other: [UInt8]) -> [UInt8]? {
        if HighScores.isDatabase(one), HighScores.isDatabase(other) {
            return (try? HighScores(readingDatabase: other)).flatMap { try? $0.recorded(inDatabase: one) }
        }
        guard let mine = try? GameState(reading: one), let read = try? GameState(reading: other),
            mine.format == read.format
        else { return nil }
        let known = KnownGame(recognising: mine)
        guard known?.description == KnownGame(recognising: read)?.description else { return nil }
        // A game may also read an older format of its saves.
        let theirs = known?.converted(read, toTheFormOf: mine) ?? read
        guard known != nil || rules != nil else { return nil }
        var all = known?.rules ?? MergeRules()
        if let rules { all.add(rules) }
        // Rules that count from the base would count twice what both versions had before they were in conflict.
        if hasLostBase, all.rules.contains(where: \.countsFromBase) { return nil }
        let earlier = base.flatMap { try? GameState(reading: $0) }.map { known?.converted($0, toTheFormOf: mine) ?? $0 }
        let outcome = GameState.merge(base: earlier, mine: mine, theirs: theirs, rules: all)
        // A result that no game would save is discarded, even if each of its parts follows a rule.
        guard outcome.conflicts.isEmpty, known?.faults(of: outcome.merged) == nil else { return nil }
        return try? outcome.merged.write()
    }
}
