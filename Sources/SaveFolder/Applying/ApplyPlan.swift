import Digests
import LinuxPlatform
import SaveRules
import Vocabulary

/// The plan of a change, written before it starts: enough to finish or undo the change after a crash.
struct ApplyPlan {
    /// The method of a change.
    enum Way: UInt8 {
        /// A new folder is built beside the old one, and the two swap places.
        case exchange = 1
        /// The folder is changed step by step; removed content is stored beside it until the end.
        case steps = 2
    }

    let way: Way
    /// The path of the game's folder, without symbolic links.
    let root: String
    /// Inode number of the root.
    let inode: UInt64
    let mode: FileMode
    /// The previous content, and the target.
    let base: Manifest
    let goal: Manifest
    /// ID of the target version, if the caller wants to learn it after a crash.
    let version: SnapshotID?

    init(_ way: Way, _ root: SetRoot, from base: Manifest, to goal: Manifest, as version: SnapshotID?) {
        (self.way, self.root, inode, mode) = (way, root.path, root.inode, root.mode)
        (self.base, self.goal, self.version) = (base, goal, version)
    }

    // MARK: Coding

    private static let letters = Array("HUDJRNL1".utf8)
    private static let headByteCount = 16

    /// The encoding: the magic letters, the total length, the fields, and the SHA-256 of the preceding bytes.
    var encoded: [UInt8] {
        var body: [UInt8] = [way.rawValue]
        body.append(number: inode)
        body.append(number: mode.rawValue)
        for part in [Array(root.utf8), base.encoded, goal.encoded] + (version.map { [$0.bytes] } ?? []) {
            body.append(number: UInt64(part.count))
            body += part
        }
        var bytes = Self.letters
        bytes.append(number: UInt64(Self.headByteCount + body.count + Digest.byteCount))
        bytes += body
        return bytes + Digest.sha256(bytes)
    }

    /// - Returns: the plan and its length; nil unless the bytes begin with a complete plan
    static func decode(_ bytes: [UInt8]) -> (plan: ApplyPlan, byteCount: Int)? {
        guard bytes.count >= headByteCount, Array(bytes[..<8]) == letters,
            let count = Int(exactly: bytes.number(UInt64.self, at: 8)), count <= bytes.count,
            count >= headByteCount + 13 + Digest.byteCount
        else { return nil }
        let end = count - Digest.byteCount
        guard Digest.sha256(Array(bytes[..<end])) == Array(bytes[end..<count]) else { return nil }
        var (place, parts) = (headByteCount + 13, [[UInt8]]())
        while place + 8 <= end, let length = Int(exactly: bytes.number(UInt64.self, at: place)) {
            guard length <= end - place - 8 else { return nil }
            parts.append(Array(bytes[(place + 8)..<(place + 8 + length)]))
            place += 8 + length
        }
        // Three parts if no version was given, or an older program wrote it.
        guard parts.count == 3 || parts.count == 4, place == end, let way = Way(rawValue: bytes[headByteCount]),
            let root = String(validating: parts[0], as: UTF8.self),
            let base = try? Manifest(decoding: parts[1]), let goal = try? Manifest(decoding: parts[2])
        else { return nil }
        let version = parts.count == 4 ? SnapshotID(bytes: parts[3]) : nil
        let inode = bytes.number(UInt64.self, at: headByteCount + 1)
        let mode = FileMode(rawValue: bytes.number(UInt32.self, at: headByteCount + 9))
        return (ApplyPlan(way, root, inode, mode, base, goal, version), count)
    }

    private init(
        _ way: Way,
        _ root: String,
        _ inode: UInt64,
        _ mode: FileMode,
        _ base: Manifest,
        _ goal: Manifest,
        _ version: SnapshotID?
    ) {
        (self.way, self.root, self.inode, self.mode) = (way, root, inode, mode)
        (self.base, self.goal, self.version) = (base, goal, version)
    }
}
