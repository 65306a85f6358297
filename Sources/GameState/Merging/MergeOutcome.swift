public import SecureArchive

/// A place that both sides have changed, and for which no rule says what becomes of it.
public struct MergeConflict: Sendable, Equatable {
    /// Where it is in the merged tree.
    public internal(set) var path: StatePath
    /// Why it could not be merged. Fit to print.
    public let reason: String
    /// What was there when both last agreed; nil where nothing was.
    public let base: ArchiveValue?
    /// What is here; nil where nothing is.
    public let mine: ArchiveValue?
    /// What is there; nil where nothing is.
    public let theirs: ArchiveValue?
}

extension MergeConflict {
    /// What a side has there; nil where it has nothing.
    fileprivate func value(of side: MergeOutcome.Side) -> ArchiveValue? {
        switch side {
        case .base: base
        case .mine: mine
        case .theirs: theirs
        }
    }
}

/// What came of two versions.
public struct MergeOutcome: Sendable, Equatable {
    /// The merged tree. Where there is a conflict, what is here stands in it.
    public private(set) var merged: GameState
    /// What a person has to choose; none where the merge is done.
    public private(set) var conflicts: [MergeConflict]

    init(_ merged: GameState, _ conflicts: [MergeConflict]) {
        self.merged = merged
        self.conflicts = conflicts
    }

    /// Which side a person has chosen.
    public enum Side: Sendable, Hashable, CaseIterable {
        case base, mine, theirs
    }

    /// Settles the conflict at a path by one side's value; where that side has nothing, the key goes.
    public mutating func settle(_ path: StatePath, by side: Side) throws(StateError) {
        guard let index = conflicts.firstIndex(where: { $0.path == path }) else {
            throw StateError(.missing, "there is no conflict here", at: path)
        }
        try put(conflicts[index].value(of: side), at: path)
        conflicts.remove(at: index)
    }

    /// Settles all that are left by one side's values.
    public mutating func settleAll(by side: Side) throws(StateError) {
        var gone: [StatePath: ArchiveFields] = [:]
        // From the end, so that what is removed from a list moves none that is still to come.
        while let conflict = conflicts.last {
            let value = conflict.value(of: side)
            if value == nil, case .key(let key)? = conflict.path.steps.last {
                gone[StatePath(conflict.path.steps.dropLast()), default: [:]][key] = .null
            } else {
                try put(value, at: conflict.path)
            }
            conflicts.removeLast()
        }
        // All of a dictionary at once, for each that goes alone moves those behind it.
        for (path, keys) in gone { try removeKeys(keys, at: path) }
    }

    private mutating func removeKeys(_ keys: ArchiveFields, at path: StatePath) throws(StateError) {
        try merged.change(at: path) { value throws(StateError) in
            try value.changeCollection(.key(""), at: path) { fields, _ in
                fields.removeAll { keys.position(of: $0) != nil }
            } elements: { _ in
            }
        }
    }

    private mutating func put(_ value: ArchiveValue?, at path: StatePath) throws(StateError) {
        if path.steps.isEmpty {
            merged.root = value ?? .null
        } else if let value, merged.contains(path) {
            try merged.change(at: path) { $0 = value }
        } else if let value {
            try merged.set(value, at: path)
        } else if merged.contains(path) {
            try merged.remove(at: path)
        }
    }
}
