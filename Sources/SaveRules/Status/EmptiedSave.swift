import Vocabulary

/// A folder that has lost its files, as after an uninstaller or a click on “new game”. The machine sends that only if a person says so.
public struct EmptiedSave: Hashable, Sendable {
    /// How many files are gone.
    public let removed: Int
    /// How many files came since.
    public let added: Int

    /// - Parameters:
    ///   - removed: how many files are gone
    ///   - added: how many files came since
    public init(removed: Int, added: Int) {
        (self.removed, self.added) = (removed, added)
    }

    /// A folder that holds no file, or less than a tenth of the files and of the bytes that were there, and nothing new. A game that rotates its
    /// saves or writes ever new names leaves something new, and is not meant.
    /// - Parameters:
    ///   - old: what the folder showed
    ///   - new: what it holds
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
