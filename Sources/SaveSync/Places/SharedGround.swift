import Ledger
import SaveRules
import Vocabulary

/// What two sets can't have in common: a file that both would put in its place, and keep.
enum SharedGround {
    /// Whether the same file could belong to both, wherever links lead. Waits for the disk.
    /// - Parameter asking: whether the disk of the other is waited for; its names say it all where not
    static func exists(between one: SaveSetEntry, _ other: SaveSetEntry, asking: Bool = true) -> Bool {
        let left = ResolvedPath(one.path)
        let right = asking ? ResolvedPath(other.path) : ResolvedPath(unresolved: other.path)
        if let names = left.names(below: right) { return holds(names, other.chosen, beside: one.chosen) }
        if let names = right.names(below: left) { return holds(names, one.chosen, beside: other.chosen) }
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
