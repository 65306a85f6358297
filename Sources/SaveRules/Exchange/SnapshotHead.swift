/// The name and version of a newest snapshot that a peer holds whole.
public struct SnapshotHead: Hashable, Sendable {
    /// How many heads a set can have here. More sides than this have never been at odds.
    public static let maximumCount = 64

    /// Its name.
    public let id: SnapshotID
    /// Its version.
    public let version: VersionVector

    /// - Parameters:
    ///   - id: its name
    ///   - version: its version
    public init(_ id: SnapshotID, _ version: VersionVector) {
        self.id = id
        self.version = version
    }
}
