public import SecureArchive

/// One place at which two trees differ.
public struct TreeDifference: Sendable, Equatable {
    /// The place. An element that only one of two lists has is at its place in that one.
    public let path: StatePath
    /// The value in the first tree; nil if there is none.
    public let old: ArchiveValue?
    /// The value in the second tree; nil if there is none.
    public let new: ArchiveValue?
}

extension GameState {
    /// The differences to another tree, each as deep as possible, up to the limit. The order of keys makes no
    /// difference; the kind of a number and the class of an object do.
    public func differences(to other: GameState, limit: Int = 1000) -> [TreeDifference] {
        var found: [TreeDifference] = []
        Self.compare(root, other.root, .root, limit, &found)
        return found
    }

    private static func compare(
        _ old: ArchiveValue?,
        _ new: ArchiveValue?,
        _ path: StatePath,
        _ limit: Int,
        _ found: inout [TreeDifference]
    ) {
        guard found.count < limit, old != new else { return }
        switch (old, new) {
        case (.tagged(let oldName, let old)?, .tagged(let newName, let new)?) where oldName == newName:
            compare(old, new, path, limit, &found)
        case (.dictionary(let old)?, .dictionary(let new)?):
            for key in old.keys + new.keys.filter({ old[$0] == nil }) {
                compare(old[key], new[key], path.appending(.key(key)), limit, &found)
            }
        case (.array(let old)?, .array(let new)?):
            compare(old, new, path, limit, &found)
        default: found.append(TreeDifference(path: path, old: old, new: new))
        }
    }

    /// Compares two lists: equal elements at both ends are skipped, and elements in between are compared position by
    /// position.
    private static func compare(
        _ old: [ArchiveValue],
        _ new: [ArchiveValue],
        _ path: StatePath,
        _ limit: Int,
        _ found: inout [TreeDifference]
    ) {
        let shorter = min(old.count, new.count)
        var first = 0
        while first < shorter, old[first] == new[first] { first += 1 }
        var last = 0
        // Only for lists of different length: otherwise every position has its counterpart.
        if old.count != new.count {
            while last < shorter - first, old[old.count - 1 - last] == new[new.count - 1 - last] { last += 1 }
        }
        let (oldEnd, newEnd) = (old.count - last, new.count - last)
        for index in first..<max(oldEnd, newEnd, first) {
            compare(
                index < oldEnd ? old[index] : nil,
                index < newEnd ? new[index] : nil,
                path.appending(.index(index)),
                limit,
                &found
            )
        }
    }
}
