import SecureArchive

extension GameState {
    /// Merges two versions that both changed since a common one.
    ///
    /// A change on one side is taken, equal changes agree, and rules merge the rest; without a rule there is a
    /// conflict. No clock decides which side is newer, unless a rule names a date in the save.
    /// - Parameter base: the common version; nil if it is not known
    public static func merge(
        base: GameState?,
        mine: GameState,
        theirs: GameState,
        rules: MergeRules = MergeRules()
    ) -> MergeOutcome {
        var merge = TreeMerge()
        let place = TreeMerge.Place(rules)
        let versions = Versions(base: base?.root, mine: mine.root, theirs: theirs.root)
        // A number identifies different objects in the two versions. A child would get a parent of the other version.
        let hasNumbers = [mine.root, theirs.root].contains(where: \.namesObjects)
        let root =
            if hasNumbers {
                versions.agreed
                    ?? merge.conflict(
                        versions,
                        place,
                        "both have changed it, and its objects lead back to themselves"
                    )
            } else {
                merge.merge(versions, place)
            }
        return MergeOutcome(GameState(root ?? .null, format: mine.format), merge.conflicts)
    }
}

extension ArchiveValue {
    /// True if any part of the tree is only the number of an object.
    fileprivate var namesObjects: Bool {
        switch self {
        case .reference: true
        case .tagged(_, let below): below.namesObjects
        case .array(let elements): elements.contains(where: \.namesObjects)
        case .dictionary(let fields): fields.values.contains(where: \.namesObjects)
        default: false
        }
    }
}
