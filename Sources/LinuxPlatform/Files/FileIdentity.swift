/// Which file it is, whatever it is called: its file system and its number there.
public struct FileIdentity: Hashable, Sendable {
    /// The file system.
    public let device: UInt64
    /// The number.
    public let inode: UInt64

    /// Names a file.
    public init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

extension FileFacts {
    /// Which file it is.
    public var identity: FileIdentity { FileIdentity(device: device, inode: inode) }
}
