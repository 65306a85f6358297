package import Digests
package import Vocabulary

/// One file, folder or link of a device: its place, content and version.
package struct FileEntry: Hashable, Sendable {
    package enum Kind: UInt64, Hashable, Sendable {
        case file = 0
        case folder = 1
        case linkToFile = 2
        case linkToFolder = 3
        case link = 4
    }

    package enum Standing: Hashable, Sendable {
        case present
        case deleted
        /// The device can't have the file, or ignores it. The entry says nothing about the content.
        case invalid
    }

    package var name: String
    package var kind = Kind.file
    package var standing = Standing.present
    package var size: Int64 = 0
    /// The lower nine bits of the mode; nil if the device has no modes, as under Windows.
    package var permissions: UInt32?
    package var modified = FileTime(seconds: 0, nanoseconds: 0)
    /// ``DeviceID/short`` of the device that changed it.
    package var changer: UInt64 = 0
    package var version = DeviceVector.empty
    /// Its place in the device's index, which rises with each change.
    package var sequence: Int64 = 0
    package var blockSize = FileBlock.leastSize
    package var blocks: [FileBlock] = []

    package init(name: String) {
        self.name = name
    }

    /// True if two entries have the same content, whatever their versions.
    package func hasContent(of other: FileEntry) -> Bool {
        guard standing == other.standing, kind == other.kind else { return false }
        return standing != .present || kind != .file || size == other.size && blocks == other.blocks
    }
}

/// A part of a file that is requested as a whole.
package struct FileBlock: Hashable, Sendable {
    package var offset: Int64
    package var size: Int32
    package var digest: SHA256Digest

    package init(offset: Int64, size: Int32, digest: SHA256Digest) {
        (self.offset, self.size, self.digest) = (offset, size, digest)
    }

    /// The size of the blocks of a file below 250 MiB.
    package static let leastSize: Int32 = 128 << 10

    /// The size of a new file's blocks: the least power of two that makes fewer than 2,000 of them.
    package static func size(forFileOf count: Int64) -> Int32 {
        var size = leastSize
        while size < BridgeLimits.block, count >= Int64(size) * 2_000 { size *= 2 }
        return size
    }
}
