import Wire

/// The properties of any bytes that a peer sends. The fuzzer looks for bytes that violate one; the tests try mutations
/// of good ones, and each finding of the fuzzer again.
///
/// The first three bytes of an input select the decoder, the peer's minor version, and the place of a cut.
public enum WireProperties {
    /// The size of the beginning of an input, before the bytes for the decoder.
    public static let prefixByteCount = 3

    /// The violated property; nil if all hold.
    public static func violation(for input: [UInt8]) -> String? {
        guard input.count >= prefixByteCount else { return nil }
        let (minor, seed, bytes) = (WireVersion.minor + UInt16(input[1] & 1), input[2], input[prefixByteCount...])
        switch input[0] % 4 {
        case 0: return FrameProperties<ControlFrame>(peerMinor: minor, seed: seed).violation(for: bytes)
        case 1: return FrameProperties<ChannelFrame>(peerMinor: minor, seed: seed).violation(for: bytes)
        case 2: return datagramViolation(for: Array(bytes), peerMinor: minor)
        default: return assemblerViolation(for: bytes)
        }
    }

    private static func datagramViolation(for bytes: [UInt8], peerMinor: UInt16) -> String? {
        if let header = try? DatagramHeader(of: bytes), header.encoded[...] != bytes[..<18] {
            return "a datagram's header is written differently than it was read"
        }
        guard let content = try? DatagramContent(decoding: bytes, peerMinor: peerMinor) else { return nil }
        guard let again = try? DatagramContent(decoding: content.encoded), again == content else {
            return "a datagram does not come back"
        }
        return peerMinor <= WireVersion.minor && content.encoded != bytes
            ? "a datagram is written differently than it was read" : nil
    }

    private static func assemblerViolation(for bytes: ArraySlice<UInt8>) -> String? {
        var decoder = FrameDecoder<ControlFrame>()
        decoder.append(bytes)
        var assembler = MessageAssembler()
        var last: UInt64 = 0
        while let frame = try? decoder.next() {
            let whole: MessageAssembler.Whole?
            switch frame {
            case .message(let message): whole = try? assembler.take(message)
            case .messagePart(let part): whole = try? assembler.take(part)
            case .resume:
                assembler.forgetUnfinished()
                whole = nil
            default: whole = nil
            }
            if let whole {
                guard whole.sequence == last + 1, whole.bytes.count <= WireLimits.message else {
                    return "a message came out of order or too large"
                }
                last = whole.sequence
            }
            guard assembler.heldByteCount < WireLimits.message else { return "more is held than a message may have" }
        }
        return nil
    }
}
