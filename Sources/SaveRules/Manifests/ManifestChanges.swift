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
        for pair in new.differences(from: old) {
            switch (pair.old.flatMap { $0.isFolder ? nil : $0 }, pair.new.flatMap { $0.isFolder ? nil : $0 }) {
            case (nil, .some): added += 1
            case (.some, nil): removed += 1
            case (let before?, let after?): changed += Self.isSame(before, after) ? 0 : 1
            case (nil, nil): continue
            }
        }
    }

    /// True if a user would see no difference. A file that differs only in its mode or time has not changed for a user.
    private static func isSame(_ one: ManifestEntry, _ other: ManifestEntry) -> Bool {
        if let file = one.file, let otherFile = other.file { return file.pieces == otherFile.pieces }
        return one.content == other.content
    }
}
