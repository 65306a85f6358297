/// A reader of one protobuf message. It copies nothing, and goes no deeper than its caller does.
package struct ProtobufReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Reads the next field; nil at the end.
    package mutating func next() throws(ProtocolViolation) -> ProtobufField? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        let number = tag >> 3
        guard number > 0, number < 1 << 29 else { throw Self.malformed }
        switch tag & 7 {
        case 0: return ProtobufField(number: number, value: .number(try varint()))
        case 1: return ProtobufField(number: number, value: .fixed(try take(8)))
        case 2:
            let count = try varint()
            guard count <= rest.count else { throw Self.malformed }
            return ProtobufField(number: number, value: .bytes(try take(Int(count))))
        case 5: return ProtobufField(number: number, value: .fixed(try take(4)))
        default: throw Self.malformed
        }
    }

    private mutating func varint() throws(ProtocolViolation) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            guard let byte = rest.popFirst() else { throw Self.malformed }
            // The tenth byte has room for one bit.
            guard shift < 63 || byte <= 1 else { throw Self.malformed }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Self.malformed
    }

    private mutating func take(_ count: Int) throws(ProtocolViolation) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Self.malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    static let malformed = ProtocolViolation("sent a malformed message")
}

/// One field of a protobuf message.
package struct ProtobufField {
    package enum Value {
        case number(UInt64)
        case fixed(ArraySlice<UInt8>)
        case bytes(ArraySlice<UInt8>)
    }

    package let number: UInt64
    package let value: Value

    package func unsigned() throws(ProtocolViolation) -> UInt64 {
        guard case .number(let value) = value else { throw ProtobufReader.malformed }
        return value
    }

    package func signed() throws(ProtocolViolation) -> Int64 {
        Int64(bitPattern: try unsigned())
    }

    /// A number of protobuf's type int32: it has 64 bits, of which the upper ones don't count.
    package func small() throws(ProtocolViolation) -> Int32 {
        Int32(truncatingIfNeeded: try unsigned())
    }

    package func isTrue() throws(ProtocolViolation) -> Bool {
        try unsigned() != 0
    }

    package func bytes() throws(ProtocolViolation) -> ArraySlice<UInt8> {
        guard case .bytes(let bytes) = value else { throw ProtobufReader.malformed }
        return bytes
    }

    package func text(upTo limit: Int = BridgeLimits.text) throws(ProtocolViolation) -> String {
        let bytes = try bytes()
        guard bytes.count <= limit else { throw ProtocolViolation("sent a text that is too long") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ProtocolViolation("sent a text that is not UTF-8")
        }
        return text
    }

    package func message() throws(ProtocolViolation) -> ProtobufReader {
        ProtobufReader(try bytes())
    }
}
