/// What stands in the open before a sealed datagram. Any change to it makes the datagram fail to open.
public struct DatagramHeader: Hashable, Sendable {
    /// How many bytes it takes.
    public static let byteCount = 18
    /// How many bytes sealing adds behind what is sealed.
    public static let sealCount = 16

    private static let magic: UInt8 = 0x48
    private static let version: UInt8 = 1

    /// Which link it belongs to.
    public let linkTag: UInt64
    /// Its number; a sender uses each once.
    public let sequence: UInt64

    /// Puts the two together.
    public init(linkTag: UInt64, sequence: UInt64) {
        self.linkTag = linkTag
        self.sequence = sequence
    }

    /// Reads the header of a whole datagram; nil where it can't be one of ours.
    public init?(of datagram: [UInt8]) {
        guard datagram.count > Self.byteCount + Self.sealCount, datagram[0] == Self.magic, datagram[1] == Self.version
        else { return nil }
        linkTag = Self.number(datagram[2..<10])
        sequence = Self.number(datagram[10..<18])
    }

    /// The header as it goes out.
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
