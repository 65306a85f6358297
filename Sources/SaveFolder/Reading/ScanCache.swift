import Digests
import LinuxPlatform
import SaveRules
import Vocabulary

/// The scan cache: the content of a folder at the last scan, with a fingerprint of each file. If it is lost, everything
/// is read again, and an empty folder in place of this one goes unnoticed. Decision 018 gives the reasons to trust it.
struct ScanCache: Equatable {
    /// Inode number of the root, so that a replaced folder is noticed.
    let root: UInt64
    let manifest: Manifest
    /// The fingerprint of each entry of the manifest; nil for an entry that is no file, or must be read again.
    let fingerprints: [FileFingerprint?]

    init(root: UInt64, _ manifest: Manifest, _ fingerprints: [FileFingerprint?]) {
        precondition(fingerprints.count == manifest.entries.count, "each entry has a fingerprint or nil")
        (self.root, self.manifest, self.fingerprints) = (root, manifest, fingerprints)
    }

    /// The file or link at a path since a change.
    struct Change {
        let content: ManifestEntry.Content
        let fingerprint: FileFingerprint?
    }

    /// A file, with its fingerprint.
    func file(at path: SavePath) -> (file: SavedFile, fingerprint: FileFingerprint?)? {
        let place = manifest.place(of: path)
        guard place < manifest.entries.count, manifest.entries[place].path == path,
            let file = manifest.entries[place].file
        else { return nil }
        return (file, fingerprints[place])
    }

    /// The cache with other files and links at some paths; nil where nothing is now, and nil if that would be no
    /// manifest.
    func changing(_ changes: [SavePath: Change?]) -> ScanCache? {
        guard let changed = manifest.changing(changes.mapValues { $0?.content }) else { return nil }
        var fingerprints = fingerprints
        // From the end, so that the places before stay the same.
        for (path, change) in changes.sorted(by: { $1.key < $0.key }) {
            let place = manifest.place(of: path)
            let isThere = place < manifest.entries.count && manifest.entries[place].path == path
            let range = place..<(isThere ? place + 1 : place)
            fingerprints.replaceSubrange(range, with: change.map { [$0.fingerprint] } ?? [])
        }
        return ScanCache(root: root, changed, fingerprints)
    }

    /// The cache after a change of one file or link.
    ///
    /// - Parameter goal: the manifest, which differs at that path only
    func changing(to goal: Manifest, at path: SavePath, _ fingerprint: FileFingerprint?) -> ScanCache? {
        let change = goal[path].map { Change(content: $0.content, fingerprint: fingerprint) }
        // The goal shares its memory with the history's copy, so that the two are compared at once.
        return changing([path: change]).map { ScanCache(root: root, goal, $0.fingerprints) }
    }

    /// True if at least one file is unchanged, or there was no file to compare.
    func isLike(_ before: ScanCache) -> Bool {
        let files = before.manifest.entries.filter { $0.file?.pieces.isEmpty == false }
        return files.isEmpty || files.contains { manifest[$0.path]?.file?.pieces == $0.file?.pieces }
    }

    // MARK: Coding

    private static let letters = Array("HUDSEAL1".utf8)
    private static let sealByteCount = 20
    private static let headByteCount = 24
    /// A manifest of the maximum length, and a fingerprint for each entry.
    static let maximumByteCount =
        headByteCount + Manifest.maximumByteCount + Manifest.maximumEntryCount * sealByteCount + Digest.byteCount

    /// The least length of the encoding. Its exact length would take as long as the encoding.
    var leastByteCount: UInt64 { UInt64(manifest.entries.count) * 64 }

    /// The encoding: the magic letters, the inode number, the length of the manifest, the manifest, twenty bytes for
    /// each entry, and the SHA-256 of all that.
    var encoded: [UInt8] {
        let encoded = manifest.encoded
        var bytes = Self.letters
        bytes.reserveCapacity(encoded.count + fingerprints.count * Self.sealByteCount + 64)
        bytes.append(number: root)
        bytes.append(number: UInt64(encoded.count))
        bytes += encoded
        for fingerprint in fingerprints {
            bytes.append(number: fingerprint?.inode ?? 0)
            bytes.append(number: UInt64(bitPattern: fingerprint?.changed.seconds ?? 0))
            bytes.append(number: fingerprint?.changed.nanoseconds ?? 0)
        }
        return bytes + Digest.sha256(bytes)
    }

    /// Nil if the bytes are damaged, or from another version: then everything is read again.
    init?(decoding bytes: [UInt8]) {
        let end = bytes.count - Digest.byteCount
        guard end >= Self.headByteCount, Array(bytes[..<8]) == Self.letters,
            Digest.sha256(Array(bytes[..<end])) == Array(bytes[end...]),
            let count = Int(exactly: bytes.number(UInt64.self, at: 16)), count <= end - Self.headByteCount,
            let manifest = try? Manifest(decoding: Array(bytes[Self.headByteCount..<(Self.headByteCount + count)]))
        else { return nil }
        let start = Self.headByteCount + count
        guard end - start == manifest.entries.count * Self.sealByteCount else { return nil }
        root = bytes.number(UInt64.self, at: 8)
        self.manifest = manifest
        fingerprints = manifest.entries.indices.map { index in
            let place = start + index * Self.sealByteCount
            let inode = bytes.number(UInt64.self, at: place)
            guard inode != 0 else { return nil }
            let seconds = Int64(bitPattern: bytes.number(UInt64.self, at: place + 8))
            let changed = FileTime(seconds: seconds, nanoseconds: bytes.number(UInt32.self, at: place + 16))
            return FileFingerprint(inode: inode, changed: changed)
        }
    }
}

extension [UInt8] {
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// The number at a position; the bytes must be complete.
    func number<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
        self[place..<(place + MemoryLayout<Number>.size)].reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}
