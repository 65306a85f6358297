/// The name of something by what it holds: the SHA-256 of its bytes. `Kind` keeps the ids of different things apart.
///
/// A machine that has the bytes can check the name. Other bytes with the same name can't be found.
public struct ContentID<Kind>: Hashable, Sendable {
    /// How many bytes a digest has.
    public static var byteCount: Int { 32 }

    /// Four times eight bytes, most significant first.
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

    /// Four times eight bytes, most significant first.
    public init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// The name of some bytes.
    /// - Parameter hash: SHA-256
    public init(of bytes: [UInt8], hashedBy hash: ContentHash) {
        let digest = hash(bytes)
        guard let id = ContentID(bytes: digest) else {
            preconditionFailure("the hash of contents has \(Self.byteCount) bytes, not \(digest.count)")
        }
        self = id
    }

    /// The digest.
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

    /// Equal when all bytes are.
    public static func == (left: ContentID, right: ContentID) -> Bool {
        left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
            && left.words.3 == right.words.3
    }

    /// Hashes what `==` compares; a digest is mixed well enough that a quarter of it tells.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}

extension ContentID {
    /// All names that begin with some hexadecimal digits; nil if these are none, or fewer than four.
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
        // The standard library would take a sign as well.
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
    /// The order of the bytes. It settles what neither time nor ancestry may.
    public static func < (left: ContentID, right: ContentID) -> Bool { left.words < right.words }
}

extension ContentID: CustomStringConvertible {
    /// Sixty-four hexadecimal digits.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The first ten digits, to tell a few apart at a glance.
    public var short: String { String(description.prefix(10)) }
}

/// SHA-256. The caller passes it, because modules below layer 3 have no cryptography.
public typealias ContentHash = @Sendable (_ bytes: [UInt8]) -> [UInt8]

/// Names a piece of a file by its plain bytes.
public typealias PieceID = ContentID<PieceContent>
/// Names a snapshot by its canonical encoding.
public typealias SnapshotID = ContentID<SnapshotContent>

/// The kind of thing that a ``PieceID`` names.
public enum PieceContent: Sendable {}
/// The kind of thing that a ``SnapshotID`` names.
public enum SnapshotContent: Sendable {}
