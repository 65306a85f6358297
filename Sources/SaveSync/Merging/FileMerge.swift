import GameState
import Vocabulary

/// Makes one of two versions of a single file, where what it says is understood.
struct FileMerge {
    /// The set's own rules, which go before those of the known games; nil where it has none.
    let rules: MergeRules?
    /// Whether what both have in common was there once and is not here now.
    var lacksBase = false

    /// Whether somebody knows what such a file says and how it is merged. Nil is a file that was not read.
    func knows(_ bytes: [UInt8]?) throws -> Bool {
        guard let bytes else { return false }
        if HighScores.isDatabase(bytes) { return (try? HighScores(readingDatabase: bytes)) != nil }
        guard let state = try? GameState(reading: bytes) else { return false }
        return rules != nil || KnownGame(recognising: state) != nil
    }

    /// Both as one; nil where that can't be said.
    func merged(base: [UInt8]?, _ one: [UInt8], _ other: [UInt8]) -> [UInt8]? {
        if HighScores.isDatabase(one), HighScores.isDatabase(other) {
            return (try? HighScores(readingDatabase: other)).flatMap { try? $0.recorded(inDatabase: one) }
        }
        guard let mine = try? GameState(reading: one), let read = try? GameState(reading: other),
            mine.format == read.format
        else { return nil }
        let known = KnownGame(recognising: mine)
        guard known?.description == KnownGame(recognising: read)?.description else { return nil }
        // A game may know an older form of its saves beside the newer one.
        let theirs = known?.brought(read, intoTheFormOf: mine) ?? read
        guard known != nil || rules != nil else { return nil }
        var all = known?.rules ?? MergeRules()
        if let rules { all.add(rules) }
        // What both had before they parted would count twice.
        if lacksBase, all.rules.contains(where: \.countsFromBase) { return nil }
        let earlier = base.flatMap { try? GameState(reading: $0) }.map { known?.brought($0, intoTheFormOf: mine) ?? $0 }
        let outcome = GameState.merge(base: earlier, mine: mine, theirs: theirs, rules: all)
        // What no game would have saved is no merge, whatever each part of it says.
        guard outcome.conflicts.isEmpty, known?.faults(of: outcome.merged) == nil else { return nil }
        return try? outcome.merged.write()
    }
}
