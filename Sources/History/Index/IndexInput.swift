import Digests
import LinuxPlatform

/// Reads an index file from its beginning and digests the bytes. Counts in the file are trusted only as far as the file
/// is long.
struct IndexInput: ~Copyable {
    private static let chunkCount = 256 << 10

    private let file: OwnedDescriptor
    private let end: UInt64
    private var stream = SHA256Stream()
    /// The number of bytes that were read.
    private(set) var offset: UInt64 = 0
    private var chunk: [UInt8] = []
    private var place = 0

    init(_ file: consuming OwnedDescriptor, upTo end: UInt64) {
        self.file = file
        self.end = end
    }

    var left: UInt64 { end - offset }

    /// Reads exactly `count` bytes; nil if there are fewer.
    mutating func read(_ count: Int) throws(SystemError) -> [UInt8]? {
        guard UInt64(count) <= left else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            if place == chunk.count {
                try refill(
                    Int(min(UInt64(Self.chunkCount), left - UInt64(bytes.count))),
                    at: offset + UInt64(bytes.count)
                )
            }
            guard place < chunk.count else { return nil }
            let part = chunk[place..<min(chunk.count, place + count - bytes.count)]
            bytes += part
            place += part.count
        }
        offset += UInt64(count)
        return bytes
    }

    private mutating func refill(_ count: Int, at start: UInt64) throws(SystemError) {
        var failure: SystemError?
        // because the kernel fills the bytes, and only as many count as it says it filled
        chunk = [UInt8](unsafeUninitializedCapacity: count) { [file = file.number] room, filled in
            do throws(SystemError) {
                filled = try OwnedDescriptor.read(from: file, into: UnsafeMutableRawBufferPointer(room), at: start)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        place = 0
        stream.update(chunk)
    }

    /// Returns true if the digest of everything that was read follows it.
    mutating func endsWithDigest() throws(SystemError) -> Bool {
        let digest = stream.finish()
        place = 0
        try refill(Digest.byteCount, at: end)
        return chunk == digest.bytes
    }

    consuming func release() -> OwnedDescriptor { file }
}
