import Digests
import LinuxPlatform
import SaveRules
import Vocabulary

/// The scan cache: the content of a folder at the last scan, with a fingerprint of each file. If it is lost, everything
/// is read again, and an empty folder in place of this one goes unnoticed. Decision 018 gives the reasons to trust it.
struct ScanCache {
    /// Inode number of the root, so that a replaced folder is noticed.
    let root: UInt64
    let manifest: Manifest
    /// The fingerprint of each entry of the manifest; nil for an entry that is no file, or must be read again.
    let fingerprints: [FileFingerprint?]

    init(root: UInt64, _ manifest: Manifest, _ fingerprints: [FileFingerprint?]) {
        precondition(fingerprints.count == manifest.entries.count, "each entry has a fingerprint or nil")
        (self.root, self.manifest, self.fingerprints) = (root, manifest, fingerprints)
    }

    // MARK: Coding

    private static let letters = Array("HUDSEAL1".utf8)
    private static let sealByteCount = 20
    private static let headByteCount = 24
    /// A manifest of the maximum length, and a fingerprint for each entry.
    static let maximumByteCount =
        headByteCount + Manifest.maximumByteCount + Manifest.maximumEntryCount * sealByteCount + Digest.byteCount

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
