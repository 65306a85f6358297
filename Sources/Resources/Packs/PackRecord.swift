import LinuxPlatform
package import Vocabulary

/// One record of a pack, the format of a folder in transit.
///
/// A pack has no paths: a name has no separator, entries after a folder record are in that folder until it is closed,
/// and the names in a folder are in ascending order of their bytes. So `../x`, an absolute path, a duplicate name, or
/// an entry below a file or a link can't be expressed.
package enum PackRecord: Hashable, Sendable {
    /// The root folder. It comes first, and its name is not part of the pack.
    case root(ResourceStamp)
    /// Opens a folder.
    case folder(FileName, ResourceStamp)
    /// A file; its bytes follow.
    case file(FileName, ResourceStamp, size: UInt64)
    /// A symbolic link.
    case link(FileName, ResourceStamp, LinkTarget)
    /// Closes the current folder.
    case leave
    /// The end of the pack.
    case end

    enum Tag: UInt8 {
        case end = 0
        case folder = 1
        case file = 2
        case link = 3
        case leave = 4
    }

    /// The first bytes of a pack; the last one is its version.
    static let magic: [UInt8] = Array("HUDPACK".utf8) + [1]
    static let stampByteCount = 14
    static let rootByteCount = 8 + stampByteCount

    /// The encoded record.
    package var bytes: [UInt8] {
        switch self {
        case .root(let stamp): Self.magic + stamp.bytes
        case .folder(let name, let stamp): [Tag.folder.rawValue] + name.counted + stamp.bytes
        case .file(let name, let stamp, let size):
            [Tag.file.rawValue] + name.counted + stamp.bytes + size.bigEndianBytes
        case .link(let name, let stamp, let target):
            [Tag.link.rawValue] + name.counted + stamp.bytes + UInt16(target.text.utf8.count).bigEndianBytes
                + Array(target.text.utf8)
        case .leave: [Tag.leave.rawValue]
        case .end: [Tag.end.rawValue]
        }
    }

    var byteCount: Int {
        switch self {
        case .root: Self.rootByteCount
        case .folder(let name, _): 2 + name.text.utf8.count + Self.stampByteCount
        case .file(let name, _, _): 2 + name.text.utf8.count + Self.stampByteCount + 8
        case .link(let name, _, let target):
            2 + name.text.utf8.count + Self.stampByteCount + 2 + target.text.utf8.count
        case .leave, .end: 1
        }
    }
}

extension ResourceStamp {
    fileprivate var bytes: [UInt8] {
        UInt16(mode.rawValue).bigEndianBytes + modified.seconds.bigEndianBytes + modified.nanoseconds.bigEndianBytes
    }
}

extension FileName {
    /// The name after a byte with its length; a name has at most 255 bytes.
    fileprivate var counted: [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
}
