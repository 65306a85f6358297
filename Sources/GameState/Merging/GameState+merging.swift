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
        let root = merge.merge(Versions(base: base?.root, mine: mine.root, theirs: theirs.root), place)
        return MergeOutcome(GameState(root ?? .null, format: mine.format), merge.conflicts)
    }
}
