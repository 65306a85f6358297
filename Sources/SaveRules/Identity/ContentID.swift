/// The id of content: the SHA-256 of its bytes. `Kind` distinguishes the ids of different things.
///
/// A machine that has the bytes can check the id. It is not feasible to find other bytes with the same id.
public struct ContentID<Kind>: Hashable, Sendable {
    /// The number of bytes of a digest.
    public static var byteCount: Int { 32 }

    /// The digest as four numbers of eight bytes, most significant first.
    public let words: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter bytes: exactly 32; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var (words, place) = ((UInt64(0), UInt64(0), UInt64(0), UInt64(0)), 0)
        for byte in bytes {
            switch place / 8 {
            case 0: words.0 = words.0 << 8 | UInt64(byte)
            case 1: words.1 = words.1 << 8 | UInt64(byte)
            case 2: words.2 = words.2 << 8 | UInt64(byte)
            default: words.3 = words.3 << 8 | UInt64(byte)
            }
            place += 1
        }
        self.words = words
    }

    /// Creates an id from four numbers of eight bytes, most significant first.
    public init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// Creates the id of some bytes.
    /// - Parameter hash: SHA-256
    public init(of bytes: [UInt8], hashedBy hash: ContentHash) {
        let digest = hash(bytes)
        guard let id = ContentID(bytes: digest) else {
            preconditionFailure("the hash of contents has \(Self.byteCount) bytes, not \(digest.count)")
        }
        self = id
    }

    /// The bytes of the digest.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: words.0)
        bytes.append(bigEndian: words.1)
        bytes.append(bigEndian: words.2)
        bytes.append(bigEndian: words.3)
    }

    /// Compares all bytes.
    public static func == (left: ContentID, right: ContentID) -> Bool {
        left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
            && left.words.3 == right.words.3
    }

    /// Hashes a quarter of the digest, which is random enough to distinguish ids.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}

extension ContentID {
    /// Returns the range of all ids that begin with some hexadecimal digits; nil if these are not valid, or fewer than
    /// four.
    public static func names(beginningWith digits: String) -> ClosedRange<ContentID>? {
        let count = 2 * byteCount
        guard (4...count).contains(digits.utf8.count) else { return nil }
        func id(_ filling: Character) -> ContentID? {
            let text = digits.padding(to: count, with: filling)
            let words = stride(from: 0, to: count, by: 16).compactMap { place in
                UInt64(String(decoding: text.utf8.dropFirst(place).prefix(16), as: UTF8.self), radix: 16)
            }
            return words.count == 4 ? ContentID(words: (words[0], words[1], words[2], words[3])) : nil
        }
        // `Int.init` would accept a sign as well.
        guard digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }), let first = id("0"),
            let last = id("f")
        else { return nil }
        return first...last
    }
}

extension String {
    fileprivate func padding(to count: Int, with filling: Character) -> String {
        self + String(repeating: filling, count: count - utf8.count)
    }
}

extension ContentID: Comparable {
    /// Compares bytes. This order decides if neither time nor ancestry may.
    public static func < (left: ContentID, right: ContentID) -> Bool { left.words < right.words }
}

extension ContentID: CustomStringConvertible {
    /// The digest in 64 hexadecimal digits.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The first ten digits, for users and logs.
    public var short: String { String(description.prefix(10)) }
}

/// SHA-256. The caller passes it, because modules below layer 3 have no cryptography.
public typealias ContentHash = @Sendable (_ bytes: [UInt8]) -> [UInt8]

/// The id of a piece of a file: the digest of its plain bytes.
public typealias PieceID = ContentID<PieceContent>
/// The id of a version: the digest of its canonical encoding.
public typealias SnapshotID = ContentID<SnapshotContent>

/// The kind of ``PieceID``.
public enum PieceContent: Sendable {}
/// The kind of ``SnapshotID``.
public enum SnapshotContent: Sendable {}
