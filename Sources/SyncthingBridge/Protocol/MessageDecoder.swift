/// Cuts the bytes of a connection, after the Hello, into messages. It keeps one incomplete message and never reserves
/// memory for bytes that have not arrived.
package struct MessageDecoder: Sendable {
    private var held: [UInt8] = []
    private var start = 0
    private var failure: ProtocolViolation?

    package init() {}

    /// The number of bytes that wait for the rest of their message.
    package var heldCount: Int { held.count - start }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        guard failure == nil else { return }
        if start == held.count {
            held.removeAll(keepingCapacity: held.count < 1 << 20)
            start = 0
        } else if start > 1 << 20, start > held.count / 2 {
            held.removeFirst(start)
            start = 0
        }
        held += bytes
    }

    /// The next complete message; nil until more bytes have arrived. After a failure it throws the same error again.
    package mutating func next() throws(ProtocolViolation) -> DeviceMessage? {
        if let failure { throw failure }
        do throws(ProtocolViolation) {
            return try nextUnlessFailed()
        } catch {
            failure = error
            (held, start) = ([], 0)
            throw error
        }
    }

    private mutating func nextUnlessFailed() throws(ProtocolViolation) -> DeviceMessage? {
        let rest = held[start...]
        guard rest.count >= 2 else { return nil }
        let headerCount = BigEndian.number(rest.prefix(2))
        guard headerCount <= BridgeLimits.header else { throw ProtocolViolation("sent a header that is too long") }
        let headCount = 2 + headerCount + 4
        guard rest.count >= headCount else { return nil }
        let bodyCount = BigEndian.number(rest.prefix(headCount).suffix(4))
        guard bodyCount <= BridgeLimits.message else { throw ProtocolViolation("sent a message that is too long") }
        guard rest.count >= headCount + bodyCount else { return nil }
        let body = rest.dropFirst(headCount).prefix(bodyCount)
        defer { start += headCount + bodyCount }
        return try Self.message(header: rest.dropFirst(2).prefix(headerCount), body: body)
    }

    private static func message(
        header: ArraySlice<UInt8>,
        body: ArraySlice<UInt8>
    ) throws(ProtocolViolation) -> DeviceMessage {
        var (reader, type, compression) = (ProtobufReader(header), 0 as UInt64, 0 as UInt64)
        while let field = try reader.next() {
            switch field.number {
            case 1: type = try field.unsigned()
            case 2: compression = try field.unsigned()
            default: break
            }
        }
        switch compression {
        case 0: return try DeviceMessage(type: type, body: body)
        case 1: return try DeviceMessage(type: type, body: LZ4Block.decompressed(body)[...])
        default: throw ProtocolViolation("compressed a message in an unknown way")
        }
    }
}
