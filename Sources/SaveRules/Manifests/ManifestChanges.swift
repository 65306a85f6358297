/// The numbers of files that were added, changed and removed between two manifests. Links count as files.
public struct ManifestChanges: Hashable, Sendable {
    /// The number of new files.
    public private(set) var added = 0
    /// The number of files with other contents.
    public private(set) var changed = 0
    /// The number of removed files.
    public private(set) var removed = 0

    /// - Parameters:
    ///   - old: the earlier manifest
    ///   - new: the later manifest
    public init(from old: Manifest, to new: Manifest) {
        for entry in new.entries where !entry.isFolder {
            guard let before = old[entry.path], !before.isFolder else {
                added += 1
                continue
            }
            if !Self.isSame(before, entry) { changed += 1 }
        }
        for entry in old.entries where !entry.isFolder && new[entry.path]?.isFolder != false { removed += 1 }
    }

    /// True if a user would see no difference. A file that differs only in its mode or time has not changed for a user.
    private static func isSame(_ one: ManifestEntry, _ other: ManifestEntry) -> Bool {
        if let file = one.file, let otherFile = other.file { return file.pieces == otherFile.pieces }
        return one.content == other.content
    }
}
