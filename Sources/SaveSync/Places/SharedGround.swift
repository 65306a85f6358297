import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// What two sets can't have in common: a file that both would put in its place, and keep.
enum SharedGround {
    /// Whether the same file could belong to two sets, of each of which is said where it lies and what it has there.
    static func exists(
        between one: (place: ResolvedPath, chosen: ChosenNames?),
        _ other: (place: ResolvedPath, chosen: ChosenNames?)
    ) -> Bool {
        if let names = one.place.names(below: other.place) { return holds(names, other.chosen, beside: one.chosen) }
        if let names = other.place.names(below: one.place) { return holds(names, one.chosen, beside: other.chosen) }
        return false
    }

    /// - Parameters:
    ///   - names: how the folder of one is reached from that of another
    ///   - chosen: what of its folder that other has; nil for all
    ///   - beside: the same of the one
    private static func holds(_ names: [[UInt8]], _ chosen: ChosenNames?, beside: ChosenNames?) -> Bool {
        guard let chosen else { return true }
        guard let name = names.first else { return beside.map(chosen.meets) ?? true }
        return chosen.names.contains { $0.bytes.elementsEqual(name) }
    }
}
