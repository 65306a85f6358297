/// Mode and modification time of a sent file or folder, which the receiver restores.
public struct ResourceStamp: Hashable, Sendable {
    /// The permissions.
    public let mode: FileMode
    /// The modification time.
    public let modified: FileTime

    /// - Parameters:
    ///   - mode: the permissions
    ///   - modified: the modification time
    public init(mode: FileMode, modified: FileTime) {
        self.mode = mode
        self.modified = modified
    }
}
