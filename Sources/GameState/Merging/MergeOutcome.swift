public import SecureArchive

/// A place that both sides have changed, without a rule for it.
public struct MergeConflict: Sendable, Equatable {
    /// The place in the merged tree.
    public internal(set) var path: StatePath
    /// The reason why it could not be merged. Fit to print.
    public let reason: String
    /// The value in the common version; nil if there was none.
    public let base: ArchiveValue?
    /// The value on this side; nil if there is none.
    public let mine: ArchiveValue?
    /// The value on the other side; nil if there is none.
    public let theirs: ArchiveValue?
}

extension MergeConflict {
    /// The value of a side; nil if there is none.
    fileprivate func value(of side: MergeOutcome.Side) -> ArchiveValue? {
        switch side {
        case .base: base
        case .mine: mine
        case .theirs: theirs
        }
    }
}

/// The result of merging two versions.
public struct MergeOutcome: Sendable, Equatable {
    /// The merged tree. A conflict has the value of this side in it.
    public private(set) var merged: GameState
    /// The conflicts that the user must fix; empty after a complete merge.
    public private(set) var conflicts: [MergeConflict]

    init(_ merged: GameState, _ conflicts: [MergeConflict]) {
        self.merged = merged
        self.conflicts = conflicts
    }

    /// The side that the user chose.
    public enum Side: Sendable, Hashable, CaseIterable {
        case base, mine, theirs
    }

    /// Fixes the conflict at a path with one side's value. If that side has none, the key is removed.
    public mutating func settle(_ path: StatePath, by side: Side) throws(StateError) {
        guard let index = conflicts.firstIndex(where: { $0.path == path }) else {
            throw StateError(.missing, "there is no conflict here", at: path)
        }
        try put(conflicts[index].value(of: side), at: path)
        conflicts.remove(at: index)
    }

    /// Fixes all remaining conflicts with one side's values.
    public mutating func settleAll(by side: Side) throws(StateError) {
        var gone: [StatePath: ArchiveFields] = [:]
        // It begins at the end: then removing an element of a list moves no element that follows in this loop.
        while let conflict = conflicts.last {
            let value = conflict.value(of: side)
            if value == nil, case .key(let key)? = conflict.path.steps.last {
                gone[StatePath(conflict.path.steps.dropLast()), default: [:]][key] = .null
            } else {
                try put(value, at: conflict.path)
            }
            conflicts.removeLast()
        }
        // All keys of a dictionary are removed at once, because each removal moves the keys after it.
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
