/// A field of a class, or a key at the top of an archive.
public struct ArchiveField: Sendable, Hashable {
    /// The key as the archive spells it. A key that began with `$` has another `$` before it there.
    public let key: String
    /// The type of its value.
    public let type: ArchiveType

    /// A key and the type of its value.
    public init(_ key: String, _ type: ArchiveType) {
        self.key = key
        self.type = type
    }
}
