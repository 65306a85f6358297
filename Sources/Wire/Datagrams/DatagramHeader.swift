/// The header of each sealed datagram. It is not secret, but authenticated: its bytes are the additional data of the
/// seal.
public struct DatagramHeader: Hashable, Sendable {
    /// The letter H.
    public static let magic: UInt8 = 0x48
    /// The version of the datagrams; it changes with their form.
    public static let version: UInt8 = 1

    /// Identifies the link that the datagram belongs to.
    public let linkTag: UInt64
    /// The number of the datagram in its direction; never used twice.
    public let sequence: UInt64

    /// Creates a value from the fields in their order on the wire.
    public init(linkTag: UInt64, sequence: UInt64) {
        self.linkTag = linkTag
        self.sequence = sequence
    }

    /// Reads the header of a datagram. The sealed part begins at byte 18, and has at least its tag of 16 bytes.
    public init(of datagram: UnsafeRawBufferPointer) throws(WireError) {
        let least = WireLimits.datagramHeader + WireLimits.datagramTag
        guard (least...WireLimits.datagram).contains(datagram.count), datagram[0] == Self.magic,
            datagram[1] == Self.version
        else { throw WireError(.foreignDatagram, in: nil, peerMinor: WireVersion.minor) }
        linkTag = UInt64(bigEndian: datagram.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
        sequence = UInt64(bigEndian: datagram.loadUnaligned(fromByteOffset: 10, as: UInt64.self))
    }

    /// Reads the header of a datagram in an array.
    public init(of datagram: [UInt8]) throws(WireError) {
        let result = datagram.withUnsafeBytes { bytes in
            Result { () throws(WireError) in try DatagramHeader(of: bytes) }
        }
        self = try result.get()
    }

    /// Appends the 18 bytes of the header.
    public func encode(into bytes: inout [UInt8]) {
        bytes.append(Self.magic)
        bytes.append(Self.version)
        bytes.append(integer: linkTag)
        bytes.append(integer: sequence)
    }

    /// The 18 bytes of the header.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }
}
