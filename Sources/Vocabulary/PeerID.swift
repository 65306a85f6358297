/// Who a peer is: the SHA-256 of its public key. Names may be shared or change; this can't be claimed without the key.
public struct PeerID: Hashable, Sendable {
    /// How many bytes a digest has.
    public static let byteCount = 32

    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter bytes: exactly 32; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        words = Array(bytes).withUnsafeBytes { bytes in
            func word(_ place: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
            }
            return (word(0), word(1), word(2), word(3))
        }
    }

    /// The digest.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for word in [words.0, words.1, words.2, words.3] {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Equal when all bytes are.
    public static func == (left: PeerID, right: PeerID) -> Bool { left.words == right.words }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension PeerID: Comparable {
    /// The order of the bytes. It settles who gives way where two peers do the same thing at the same moment.
    public static func < (left: PeerID, right: PeerID) -> Bool { left.words < right.words }
}

extension PeerID: CustomStringConvertible {
    private static let groupLength = 4

    /// All of it, for a person: 52 letters and digits in groups of four, such as `k7dq-3m2p-…`.
    public var description: String { Self.grouped(Base32.text(of: bytes)) }

    /// The first two groups, to tell peers apart at a glance. Forty bits: enough for the eye, never for trust.
    public var short: String { Self.grouped(Base32.text(of: bytes.prefix(5))) }

    /// Reads what ``description`` writes; case and hyphens don't matter.
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

    /// Whether the id's text begins with what a person typed; case and hyphens don't matter.
    public func matches(prefix typed: String) -> Bool {
        let wanted = typed.lowercased().filter { $0 != "-" }
        return !wanted.isEmpty && Base32.text(of: bytes).hasPrefix(wanted)
    }
}
