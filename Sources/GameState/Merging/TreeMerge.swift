import SecureArchive

/// A walk over three versions of a tree at once that merges them.
struct TreeMerge {
    /// The current place, and the rules from there on.
    struct Place {
        private(set) var path = StatePath.root
        private let rules: [MergeRule]
        private var progress: PatternProgress
        private var inherited: MergeRule?

        init(_ rules: MergeRules) {
            self.rules = rules.rules
            progress = PatternProgress(rules.patterns)
        }

        /// The rule of a pattern for this place, or one that a place above hands down.
        var rule: MergeRule? { progress.matched.map { rules[$0] } ?? inherited }

        /// True if rules may exist for places below.
        var hasRulesBelow: Bool { progress.canStillMatch }

        func below(_ step: StatePath.Step, handingDown rule: MergeRule?) -> Place {
            var place = self
            place.path.steps.append(step)
            place.progress = progress.after(step)
            place.inherited = rule
            return place
        }
    }

    var conflicts: [MergeConflict] = []

    /// Merges the versions of a place; nil if the result has nothing there.
    mutating func merge(_ versions: Versions, _ place: Place) -> ArchiveValue? {
        if let (name, below) = versions.belowTag {
            return merge(below, place).map { .tagged(name, $0) }
        }
        switch place.rule {
        case nil: return mergeOrdinarily(versions, place)
        case .max?, .min?, .newest(nil)?: return join(versions, place)
        case .newest(let path?)?: return newest(versions, by: path, place)
        case .sumOfChanges?: return sumOfChanges(versions, place)
        case .union(let rule)?: return union(versions, rule, place)
        case .keepMine?: return keep(versions.mine, versions, place)
        case .keepTheirs?: return keep(versions.theirs, versions, place)
        case .ask?: return ask(versions, place)
        }
    }

    /// Records a conflict. Until the user fixes it, the place has the value of this side.
    mutating func conflict(_ versions: Versions, _ place: Place, _ reason: String) -> ArchiveValue? {
        conflicts.append(
            MergeConflict(
                path: place.path,
                reason: reason,
                base: versions.base,
                mine: versions.mine,
                theirs: versions.theirs
            )
        )
        return versions.mine
    }

    /// Moves the conflicts in the elements of a sorted list to their new places.
    mutating func moveConflicts(from first: Int, inListAt path: StatePath, to places: [Int]) {
        let depth = path.steps.count
        for number in first..<conflicts.count {
            if case .index(let index) = conflicts[number].path.steps[depth] {
                conflicts[number].path.steps[depth] = .index(places[index])
            }
        }
    }

    /// Takes changes of one side and equal changes, and merges the rest further down.
    private mutating func mergeOrdinarily(_ versions: Versions, _ place: Place) -> ArchiveValue? {
        // Rules below may add up two equal changes.
        let isCollection = versions.fields != nil || versions.elements != nil
        if !place.hasRulesBelow || !isCollection, let agreed = versions.agreed { return agreed }
        if let merged = mergeInside(versions, place, handingDown: nil) { return merged }
        if let agreed = versions.agreed { return agreed }
        return conflict(versions, place, "both have changed it")
    }

    /// Merges dictionaries key by key, and lists of unchanged length element by element; nil for all other values.
    mutating func mergeInside(
        _ versions: Versions,
        _ place: Place,
        handingDown rule: MergeRule?
    ) -> ArchiveValue? {
        if let (base, mine, theirs) = versions.fields {
            return .dictionary(merge(base, mine, theirs, place, handingDown: rule))
        }
        guard let (base, mine, theirs) = versions.elements, mine.count == theirs.count,
            (base ?? mine).count == mine.count
        else { return nil }
        // Without a base, the origin of each element is unknown.
        guard base != nil || rule?.isJoin == true else { return nil }
        var merged: [ArchiveValue] = []
        merged.reserveCapacity(mine.count)
        for index in mine.indices {
            let element = Versions(base: base?[index], mine: mine[index], theirs: theirs[index])
            let below = place.below(.index(index), handingDown: rule)
            // Both sides have an element there, so the result has one, too.
            merged.append(merge(element, below) ?? mine[index])
        }
        return .array(merged)
    }

    private mutating func merge(
        _ base: ArchiveFields,
        _ mine: ArchiveFields,
        _ theirs: ArchiveFields,
        _ place: Place,
        handingDown rule: MergeRule?
    ) -> ArchiveFields {
        var merged = ArchiveFields(reserving: mine.count)
        // Keys of the other side follow those of this side.
        for key in mine.keys + theirs.keys.filter({ mine[$0] == nil }) {
            let versions = Versions(base: base[key], mine: mine[key], theirs: theirs[key])
            merged[key] = merge(versions, place.below(.key(key), handingDown: rule))
        }
        return merged
    }

    // MARK: Rules for any value

    private mutating func keep(_ kept: ArchiveValue?, _ versions: Versions, _ place: Place) -> ArchiveValue? {
        guard place.hasRulesBelow, versions.fields != nil else { return kept }
        return mergeInside(versions, place, handingDown: place.rule)
    }

    private mutating func ask(_ versions: Versions, _ place: Place) -> ArchiveValue? {
        if place.hasRulesBelow, versions.fields != nil {
            return mergeInside(versions, place, handingDown: .ask) ?? versions.mine
        }
        if let agreed = versions.agreed { return agreed }
        return conflict(versions, place, "both have changed it, and it is one whole")
    }
}
