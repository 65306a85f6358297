/// How many files came, changed and went from one manifest to another. Links count as files.
public struct ManifestChanges: Hashable, Sendable {
    /// Files that are new.
    public private(set) var added = 0
    /// Files with other contents.
    public private(set) var changed = 0
    /// Files that are gone.
    public private(set) var removed = 0

    /// - Parameters:
    ///   - old: what was there
    ///   - new: what is there
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

    /// A file that only got another mode or time has not changed for a person.
    private static func isSame(_ one: ManifestEntry, _ other: ManifestEntry) -> Bool {
        if let file = one.file, let otherFile = other.file { return file.pieces == otherFile.pieces }
        return one.content == other.content
    }
}
