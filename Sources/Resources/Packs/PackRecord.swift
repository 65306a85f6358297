import LinuxPlatform
package import Vocabulary

/// One record of a pack: the form of a folder on its way.
///
/// A pack can't say where something goes but by standing there: a name has no separator, what follows a folder is in it
/// until the folder is left, and names in a folder come in ascending order of their bytes. So `../x`, an absolute path, two
/// entries of one name, something below a file or through a link can't be said at all.
package enum PackRecord: Hashable, Sendable {
    /// The folder itself. It comes first, and its name is no part of the pack.
    case root(ResourceStamp)
    /// A folder is entered.
    case folder(FileName, ResourceStamp)
    /// A file; its bytes follow.
    case file(FileName, ResourceStamp, size: UInt64)
    /// A symbolic link.
    case link(FileName, ResourceStamp, LinkTarget)
    /// The folder that was entered last is left.
    case leave
    /// Nothing follows.
    case end

    enum Tag: UInt8 {
        case end = 0
        case folder = 1
        case file = 2
        case link = 3
        case leave = 4
    }

    /// What a pack begins with; the last byte is its version.
    static let magic: [UInt8] = Array("HUDPACK".utf8) + [1]
    static let stampByteCount = 14
    static let rootByteCount = 8 + stampByteCount

    /// The record in the form that it travels in.
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

    /// How many bytes that makes.
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
    /// A name has at most 255 bytes, so one byte counts them.
    fileprivate var counted: [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
}
