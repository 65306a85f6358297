public import Vocabulary

/// The content of a datagram, before it is sealed and after it was opened.
public enum DatagramContent: Hashable, Sendable {
    /// An unreliable message: at most 1,150 bytes.
    case data(session: SessionID, bytes: ArraySlice<UInt8>)
    /// Asks if datagrams get through.
    case probe(UInt64)
    /// Answers a probe with its number.
    case probeAnswer(UInt64)

    private static let (dataKind, probeKind, probeAnswerKind) = (UInt8(0), UInt8(1), UInt8(2))

    /// - Parameters:
    ///   - plain: the whole opened content; the bytes of a message share its storage
    ///   - peerMinor: the minor version of the sender; a newer one may have added to a probe
    public init(decoding plain: [UInt8], peerMinor: UInt16 = WireVersion.minor) throws(WireError) {
        var reader = FrameReader(plain, peerMinor: peerMinor)
        do throws(PayloadFault) {
            switch try reader.integer(UInt8.self) {
            case Self.dataKind: self = .data(session: try reader.value(), bytes: try Self.payload(from: &reader))
            case Self.probeKind: self = .probe(try reader.value())
            case Self.probeAnswerKind: self = .probeAnswer(try reader.value())
            default: throw PayloadFault.badValue("kind")
            }
            try reader.finish()
        } catch {
            throw WireError(error, in: plain.first ?? 0, peerMinor: peerMinor)
        }
    }

    private static func payload(from reader: inout FrameReader) throws(PayloadFault) -> ArraySlice<UInt8> {
        let bytes = reader.rest()
        guard bytes.count <= WireLimits.datagramPayload else { throw .badValue("bytes") }
        return bytes
    }

    /// Appends the content in the form that is sealed.
    ///
    /// - Precondition: a message is within the limit
    public func encode(into plain: inout [UInt8]) {
        switch self {
        case .data(let session, let bytes):
            precondition(bytes.count <= WireLimits.datagramPayload, "the caller checks the size of a message")
            plain.append(Self.dataKind)
            session.write(to: &plain)
            plain.append(contentsOf: bytes)
        case .probe(let number):
            plain.append(Self.probeKind)
            number.write(to: &plain)
        case .probeAnswer(let number):
            plain.append(Self.probeAnswerKind)
            number.write(to: &plain)
        }
    }

    /// The content in the form that is sealed.
    public var encoded: [UInt8] {
        var plain: [UInt8] = []
        encode(into: &plain)
        return plain
    }
}
