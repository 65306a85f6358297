import Digests
import LinuxPlatform
import SaveRules
import Vocabulary

/// What a set's folder held when it was last read, and for each file what shows that it still does. Losing it costs reading
/// everything again, and that an empty folder in place of this one is not noticed; the decision 018 says why it may be trusted.
struct SetRecord {
    /// The root's number on its file system, so that another folder in its place is noticed.
    let root: UInt64
    let manifest: Manifest
    /// One for each entry of the manifest; nil where it is no file, or has to be read again in any case.
    let seals: [FileSeal?]

    init(root: UInt64, _ manifest: Manifest, _ seals: [FileSeal?]) {
        precondition(seals.count == manifest.entries.count, "each entry has its seal or none")
        (self.root, self.manifest, self.seals) = (root, manifest, seals)
    }

    // MARK: On disk

    private static let letters = Array("HUDSEAL1".utf8)
    private static let sealByteCount = 20
    private static let headByteCount = 24
    /// A manifest of the greatest length, and a seal for each entry.
    static let maximumByteCount =
        headByteCount + Manifest.maximumByteCount + Manifest.maximumEntryCount * sealByteCount + Digest.byteCount

    /// The letters, the root's number, the manifest behind its length, twenty bytes for each entry, and the SHA-256 of all that.
    var encoded: [UInt8] {
        let encoded = manifest.encoded
        var bytes = Self.letters
        bytes.reserveCapacity(encoded.count + seals.count * Self.sealByteCount + 64)
        bytes.append(number: root)
        bytes.append(number: UInt64(encoded.count))
        bytes += encoded
        for seal in seals {
            bytes.append(number: seal?.inode ?? 0)
            bytes.append(number: UInt64(bitPattern: seal?.changed.seconds ?? 0))
            bytes.append(number: seal?.changed.nanoseconds ?? 0)
        }
        return bytes + Digest.sha256(bytes)
    }

    /// Nil where the bytes are damaged, or were written by another version: then everything is read again.
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
        seals = manifest.entries.indices.map { index in
            let place = start + index * Self.sealByteCount
            let inode = bytes.number(UInt64.self, at: place)
            guard inode != 0 else { return nil }
            let seconds = Int64(bitPattern: bytes.number(UInt64.self, at: place + 8))
            let changed = FileTime(seconds: seconds, nanoseconds: bytes.number(UInt32.self, at: place + 16))
            return FileSeal(inode: inode, changed: changed)
        }
    }
}

extension [UInt8] {
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// The number at a place; all of its bytes must be there.
    func number<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
        self[place..<(place + MemoryLayout<Number>.size)].reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}
