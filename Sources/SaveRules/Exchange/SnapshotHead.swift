/// The id and version vector of a head that a peer has as a whole.
public struct SnapshotHead: Hashable, Sendable {
    /// The largest number of heads that a game can have here. No real conflict has had more sides.
    public static let maximumCount = 64

    /// The id of the head.
    public let id: SnapshotID
    /// The version vector of the head.
    public let version: VersionVector

    /// - Parameters:
    ///   - id: the id of the head
    ///   - version: the version vector of the head
    public init(_ id: SnapshotID, _ version: VersionVector) {
        self.id = id
        self.version = version
    }
}
