import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// A file that two games would both store and change. Two games must not share one.
enum FolderOverlap {
    /// Returns true if the same file could belong to two games.
    /// - Parameters:
    ///   - one: the folder of a game, and the chosen names in it
    ///   - other: the same of the other game
    static func exists(
        between one: (place: ResolvedPath, chosen: ChosenNames?),
        _ other: (place: ResolvedPath, chosen: ChosenNames?)
    ) -> Bool {
        if let names = one.place.names(below: other.place) { return holds(names, other.chosen, beside: one.chosen) }
        if let names = other.place.names(below: one.place) { return holds(names, one.chosen, beside: other.chosen) }
        return false
    }

    /// - Parameters:
    ///   - names: the path from the outer folder to the inner one
    ///   - chosen: the names that the outer game has chosen; nil for all
    ///   - beside: the names that the inner game has chosen; nil for all
    private static func holds(_ names: [[UInt8]], _ chosen: ChosenNames?, beside: ChosenNames?) -> Bool {
        guard let chosen else { return true }
        guard let name = names.first else { return beside.map(chosen.meets) ?? true }
        return chosen.names.contains { $0.bytes.elementsEqual(name) }
    }
}
