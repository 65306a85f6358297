/// A SHA-256 digest: thirty-two bytes in four words, which makes comparing and hashing fast.
public struct SHA256Digest: Hashable, Sendable {
    /// The bytes as big-endian words.
    public let words: (UInt64, UInt64, UInt64, UInt64)

    /// The digest with these words.
    public init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// - Parameter bytes: exactly 32; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Digest.byteCount else { return nil }
        self.init { room in
            for (place, byte) in bytes.enumerated() { room[place] = byte }
        }
    }

    /// Creates a digest from a closure that fills in all thirty-two bytes.
    init(filledBy fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        words = withUnsafeTemporaryAllocation(byteCount: Digest.byteCount, alignment: 8) { room in
            // because the memory was bound to nothing else, and is as long as a digest
            let bytes = room.bindMemory(to: UInt8.self)
            guard let start = bytes.baseAddress else { preconditionFailure("a digest has room") }
            fill(start)
            func word(_ index: Int) -> UInt64 {
                UInt64(
                    bigEndian: UnsafeRawBufferPointer(room).loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
                )
            }
            return (word(0), word(1), word(2), word(3))
        }
    }

    /// The thirty-two bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Digest.byteCount)
        for word in [words.0, words.1, words.2, words.3] {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Compares all bytes.
    public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool { left.words == right.words }

    /// Hashes half of the digest, which is enough: finding two digests with the same half would break SHA-256
    /// itself.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

extension SHA256Digest: Comparable {
    /// The order of the bytes.
    public static func < (left: SHA256Digest, right: SHA256Digest) -> Bool { left.words < right.words }
}

extension SHA256Digest: CustomStringConvertible {
    /// Sixty-four hexadecimal digits.
    public var description: String {
        [words.0, words.1, words.2, words.3].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
