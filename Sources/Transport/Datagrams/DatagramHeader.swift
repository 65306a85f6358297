/// The plain header before a sealed datagram. After any change to it the datagram fails to open.
public struct DatagramHeader: Hashable, Sendable {
    /// The size of the header in bytes.
    public static let byteCount = 18
    /// The number of bytes that sealing adds behind the content.
    public static let sealCount = 16

    private static let magic: UInt8 = 0x48
    private static let version: UInt8 = 1

    /// The tag of the link that the datagram belongs to.
    public let linkTag: UInt64
    /// The number of the datagram. A sender uses each once.
    public let sequence: UInt64

    /// Makes a header.
    public init(linkTag: UInt64, sequence: UInt64) {
        self.linkTag = linkTag
        self.sequence = sequence
    }

    /// Reads the header of a whole datagram; nil if it is no datagram of this form.
    public init?(of datagram: [UInt8]) {
        guard datagram.count > Self.byteCount + Self.sealCount, datagram[0] == Self.magic, datagram[1] == Self.version
        else { return nil }
        linkTag = Self.number(datagram[2..<10])
        sequence = Self.number(datagram[10..<18])
    }

    /// The encoded header.
    public var bytes: [UInt8] {
        [Self.magic, Self.version] + Self.bytes(of: linkTag) + Self.bytes(of: sequence)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
}
