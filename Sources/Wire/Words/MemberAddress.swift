/// An address at which a member may be reached, as reported by another peer: a hint, never proof.
public enum MemberAddress: Hashable, Sendable {
    /// Four bytes, the first one written as the most significant.
    case v4(UInt32)
    /// Sixteen bytes as two halves. Peers send no link-local address, because it has no meaning on another machine.
    case v6(high: UInt64, low: UInt64)

    /// The four bytes of an IPv4 or the sixteen of an IPv6 address in network order; nil for any other number.
    public init?(bytes: [UInt8]) {
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self = .v4(UInt32(word(bytes[...])))
        case 16: self = .v6(high: word(bytes[..<8]), low: word(bytes[8...]))
        default: return nil
        }
    }

    /// The bytes in network order.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .v4(let word):
            bytes.append(integer: word)
        case .v6(let high, let low):
            bytes.append(integer: high)
            bytes.append(integer: low)
        }
    }
}

extension MemberAddress: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        switch try reader.integer(UInt8.self) {
        case 4: self = .v4(try reader.integer())
        case 6: self = .v6(high: try reader.integer(), low: try reader.integer())
        default: throw .badValue("address family")
        }
    }

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .v4: bytes.append(4)
        case .v6: bytes.append(6)
        }
        append(to: &bytes)
    }
}
