public import SecureArchive

/// One place at which two trees differ.
public struct TreeDifference: Sendable, Equatable {
    /// Where. An element that only one of two lists has stands at its place in that one.
    public let path: StatePath
    /// What stands there in the first tree; nil where nothing does.
    public let old: ArchiveValue?
    /// What stands there in the second tree; nil where nothing does.
    public let new: ArchiveValue?
}

extension GameState {
    /// Where another tree differs from this one, as far down as the difference can be told; at most as many places as asked for. In what order
    /// keys stand makes no difference; the kind of a number and the class of an object do.
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

    /// What both lists begin and end with is the same; of what lies between, elements that stand opposite each other are compared.
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
        // Only where one list is longer: else everything stands opposite its like anyway.
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
