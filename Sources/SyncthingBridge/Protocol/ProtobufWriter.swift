/// A writer of one protobuf message. As proto3 requires, numbers that are 0 and empty texts are left out.
package struct ProtobufWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func number(_ field: UInt64, _ value: UInt64) {
        guard value != 0 else { return }
        varint(field << 3)
        varint(value)
    }

    package mutating func number(_ field: UInt64, _ value: Int64) {
        number(field, UInt64(bitPattern: value))
    }

    package mutating func flag(_ field: UInt64, _ value: Bool) {
        number(field, value ? 1 : 0 as UInt64)
    }

    package mutating func text(_ field: UInt64, _ value: String) {
        data(field, Array(value.utf8))
    }

    package mutating func data(_ field: UInt64, _ value: [UInt8]) {
        if !value.isEmpty { element(field, value) }
    }

    /// Writes one of several elements, even if it is empty.
    package mutating func element(_ field: UInt64, _ value: [UInt8]) {
        varint(field << 3 | 2)
        varint(UInt64(value.count))
        bytes += value
    }

    package mutating func message(_ field: UInt64, _ write: (inout ProtobufWriter) -> Void) {
        var inner = ProtobufWriter()
        write(&inner)
        element(field, inner.bytes)
    }

    private mutating func varint(_ value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }
}
