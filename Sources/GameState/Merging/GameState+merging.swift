import SecureArchive

extension GameState {
    /// Makes one of two versions that have both changed since they last agreed.
    ///
    /// What one side alone has changed is taken, equal changes agree, and for the rest there are rules; what none is for is a conflict. Which
    /// side is newer is never asked of a clock, unless a rule says where in the save a date stands.
    /// - Parameter base: what both had when they last agreed; nil where that is not known
    public static func merge(
        base: GameState?,
        mine: GameState,
        theirs: GameState,
        rules: MergeRules = MergeRules()
    ) -> MergeOutcome {
        var merge = TreeMerge()
        let place = TreeMerge.Place(rules)
        let versions = Versions(base: base?.root, mine: mine.root, theirs: theirs.root)
        // A number means another object in each version: a child would get a parent of the other
        // one.
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
    /// Whether something in it is only the number of an object.
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
