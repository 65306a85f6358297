/// The keys for the datagrams of one direction between two peers. Both derive them from their control channel.
public struct DatagramKeys: Sendable {
    /// The direction of datagrams.
    public enum Direction: String, Sendable {
        /// Datagrams from the side that dialed the control channel.
        case fromDialler = "dialler"
        /// Datagrams from the side that accepted it.
        case fromAnswerer = "answerer"
    }

    static let keyCount = 32
    static let vectorCount = 12
    static let tagCount = 8

    /// The tag that identifies the link of a datagram before it is opened.
    public let linkTag: UInt64

    let key: [UInt8]
    let vector: [UInt8]

    /// Derives the keys from a channel. Both of its ends get the same.
    public init(of channel: SecureChannel, _ direction: Direction) throws(ChannelError) {
        let count = Self.keyCount + Self.vectorCount + Self.tagCount
        let context = Array(direction.rawValue.utf8)
        let bytes = try channel.exportKey(label: "EXPORTER-huddle-datagrams", context: context, count: count)
        self.init(exported: bytes)
    }

    /// Splits 52 bytes of a channel's exporter into the keys.
    init(exported bytes: [UInt8]) {
        precondition(bytes.count == Self.keyCount + Self.vectorCount + Self.tagCount)
        key = Array(bytes.prefix(Self.keyCount))
        vector = Array(bytes.dropFirst(Self.keyCount).prefix(Self.vectorCount))
        linkTag = bytes.suffix(Self.tagCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The initialization vector of one datagram. Two datagrams under one key must not have the same, so a number is
    /// used once.
    func vector(of sequence: UInt64) -> [UInt8] {
        var mixed = vector
        for place in 0..<8 {
            mixed[Self.vectorCount - 1 - place] ^= UInt8(truncatingIfNeeded: sequence >> (8 * UInt64(place)))
        }
        return mixed
    }
}
