/// A field of a class, or a key that an archive begins with.
public struct ArchiveField: Sendable, Hashable {
    /// As it stands in the archive. A key that began with `$` has another `$` before it there.
    public let key: String
    /// What it may hold.
    public let type: ArchiveType

    /// A key and what it may hold.
    public init(_ key: String, _ type: ArchiveType) {
        self.key = key
        self.type = type
    }
}
