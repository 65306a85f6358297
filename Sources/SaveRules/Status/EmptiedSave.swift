import Vocabulary

/// A folder that has lost its files, for example after an uninstaller or a click on “new game”. The daemon sends such a
/// version only if the user confirms it.
public struct EmptiedSave: Hashable, Sendable {
    /// The number of missing files.
    public let removed: Int
    /// The number of new files.
    public let added: Int

    /// - Parameters:
    ///   - removed: the number of missing files
    ///   - added: the number of new files
    public init(removed: Int, added: Int) {
        (self.removed, self.added) = (removed, added)
    }

    /// Detects a folder without files, or with less than a tenth of the former files and bytes and no new file. A game
    /// that rotates its saves, or always writes new names, leaves new files and is not detected.
    /// - Parameters:
    ///   - old: the content that the folder had
    ///   - new: the content that it has now
    public init?(from old: Manifest, to new: Manifest) {
        let (before, after) = (Self.count(old), Self.count(new))
        let changes = ManifestChanges(from: old, to: new)
        guard changes.removed > 0, changes.added == 0 else { return nil }
        let isFew = after.files * 10 < before.files && after.bytes * 10 < before.bytes
        guard after.files == 0 || isFew else { return nil }
        self.init(removed: changes.removed, added: 0)
    }

    private static func count(_ manifest: Manifest) -> (files: Int, bytes: UInt64) {
        (manifest.entries.count { !$0.isFolder }, manifest.size.bytes)
    }
}
