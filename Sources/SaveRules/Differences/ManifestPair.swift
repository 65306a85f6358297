/// An entry that two manifests do not have in common.
public struct ManifestPair: Hashable, Sendable {
    /// The entry at its path in the old manifest.
    public let old: ManifestEntry?
    /// The entry at its path in the new manifest.
    public let new: ManifestEntry?
}

extension Manifest {
    /// The entries that differ from those of another manifest, in the order of their paths, found one after the other.
    public func differences(from old: Manifest) -> some Sequence<ManifestPair> {
        var (left, right) = (0, 0)
        return AnyIterator {
            while left < old.entries.count || right < entries.count {
                let before = left < old.entries.count ? old.entries[left] : nil
                let after = right < entries.count ? entries[right] : nil
                if let before, let after, before.path == after.path {
                    (left, right) = (left + 1, right + 1)
                    if before.content != after.content { return ManifestPair(old: before, new: after) }
                } else if let before, after.map({ before.path < $0.path }) ?? true {
                    left += 1
                    return ManifestPair(old: before, new: nil)
                } else {
                    right += 1
                    return ManifestPair(old: nil, new: after)
                }
            }
            return nil
        }
    }
}
