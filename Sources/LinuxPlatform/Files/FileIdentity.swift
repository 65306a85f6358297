/// The identity of a file, independent of its name: its file system and its number there.
public struct FileIdentity: Hashable, Sendable {
    /// The number of the file system.
    public let device: UInt64
    /// The number in the file system.
    public let inode: UInt64

    /// Creates an identity from its parts.
    public init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

extension FileFacts {
    /// The identity of the file.
    public var identity: FileIdentity { FileIdentity(device: device, inode: inode) }
}
