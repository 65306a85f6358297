import Vocabulary

extension Manifest {
    /// Merges two manifests that have the same content under the same names and differ only in modes and times. This
    /// happens if two machines had the same save before they were paired. Returns nil if a user would see a difference.
    ///
    /// The order of the two does not matter: of each mode and time, the greater one stays.
    public static func agreement(of one: Manifest, _ other: Manifest) -> Manifest? {
        guard one.entries.count == other.entries.count else { return nil }
        var entries: [ManifestEntry] = []
        entries.reserveCapacity(one.entries.count)
        for (left, right) in zip(one.entries, other.entries) {
            guard left.path == right.path, let content = agreement(of: left.content, right.content) else { return nil }
            entries.append(ManifestEntry(left.path, content))
        }
        return Manifest(known: entries)
    }

    /// True if a change away from this content loses no save that the other manifest has not. A game that is installed
    /// and has not saved yet may have made its folders: they count as an empty folder.
    public func holdsNoMore(than other: Manifest) -> Bool {
        self == other || Manifest.agreement(of: self, other) != nil || (!hasFiles && !other.hasFiles)
    }

    private static func agreement(
        of one: ManifestEntry.Content,
        _ other: ManifestEntry.Content
    ) -> ManifestEntry.Content? {
        switch (one, other) {
        case (.folder(let left), .folder(let right)): return .folder(greater(left, right))
        case (.link(let left), .link(let right)): return left == right ? .link(left) : nil
        case (.file(let left), .file(let right)):
            guard left.pieces == right.pieces else { return nil }
            let (mode, time) = (greater(left.mode, right.mode), max(left.modified, right.modified))
            return .file(SavedFile(mode: mode, modified: time, pieces: left.pieces))
        case (.folder, _), (.link, _), (.file, _): return nil
        }
    }

    private static func greater(_ one: FileMode, _ other: FileMode) -> FileMode {
        one.rawValue >= other.rawValue ? one : other
    }
}
