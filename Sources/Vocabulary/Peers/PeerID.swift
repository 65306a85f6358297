/// The identity of a peer: the SHA-256 of its public key. Names may be shared or change; an ID can't be claimed without
/// the key.
public struct PeerID: Hashable, Sendable {
    /// Length of the digest in bytes.
    public static let byteCount = 32

    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter bytes: 32 bytes; any others give nil
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        words = Array(bytes).withUnsafeBytes { bytes in
            func word(_ place: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
            }
            return (word(0), word(1), word(2), word(3))
        }
    }

    /// The bytes of the digest.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for word in [words.0, words.1, words.2, words.3] {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Compares all bytes.
    public static func == (left: PeerID, right: PeerID) -> Bool { left.words == right.words }

    /// Hashes all bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension PeerID: Comparable {
    /// Compares the bytes. The order decides which of two peers yields if both do the same at the same moment.
    public static func < (left: PeerID, right: PeerID) -> Bool { left.words < right.words }
}

extension PeerID: CustomStringConvertible {
    private static let groupLength = 4

    /// The full ID for users: 52 letters and digits in groups of four, such as `k7dq-3m2p-…`.
    public var description: String { Self.grouped(Base32.text(of: bytes)) }

    /// The first two groups, to distinguish peers. Forty bits: enough to read, never enough to trust.
    public var short: String { Self.grouped(Base32.text(of: bytes.prefix(5))) }

    /// Parses ``description``; case and hyphens are ignored.
    public init(_ text: String) throws(InvalidName) {
        guard let bytes = Base32.bytes(of: text), let id = PeerID(bytes: bytes) else {
            throw InvalidName(
                ErrorCode(.invalid, "peer.not-an-id"),
                text,
                isNot: "the id of a peer",
                because: "an id has 52 letters a to z and digits 2 to 7, in groups of four",
                nextStep: "copy it from `huddle identity` on that machine"
            )
        }
        self = id
    }

    private static func grouped(_ text: String) -> String {
        var groups: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(groupLength))
            rest = rest.dropFirst(groupLength)
        }
        return groups.joined(separator: "-")
    }

    /// True if the text of the ID begins with the typed text; case and hyphens are ignored.
    public func matches(prefix typed: String) -> Bool {
        let wanted = typed.lowercased().filter { $0 != "-" }
        return !wanted.isEmpty && Base32.text(of: bytes).hasPrefix(wanted)
    }
}
