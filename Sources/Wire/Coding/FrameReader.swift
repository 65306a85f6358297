import Vocabulary

/// Reads the fields of one frame's payload in order.
struct FrameReader {
    private let payload: [UInt8]
    private var position = 0
    /// The minor version of the sender. `Hello` announces it, and sets it for the rest of its own payload.
    var peerMinor: UInt16

    init(_ payload: [UInt8], peerMinor: UInt16) {
        self.payload = payload
        self.peerMinor = peerMinor
    }

    var remaining: Int { payload.count - position }

    mutating func value<Value: WireValue>(_: Value.Type = Value.self) throws(PayloadFault) -> Value {
        try Value(from: &self)
    }

    mutating func integer<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(PayloadFault) -> Number {
        let size = MemoryLayout<Number>.size
        guard remaining >= size else { throw .cutShort }
        defer { position += size }
        return payload.withUnsafeBytes { bytes in
            Number(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    /// Reads bytes without copying them: they share the payload's storage.
    mutating func bytes(_ count: Int) throws(PayloadFault) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw .cutShort }
        defer { position += count }
        return payload[position..<position + count]
    }

    /// Reads all remaining bytes.
    mutating func rest() -> ArraySlice<UInt8> {
        defer { position = payload.count }
        return payload[position...]
    }

    mutating func flag(_ field: String) throws(PayloadFault) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .badValue(field)
        }
    }

    /// Reads a text after its length, and refuses one longer than `limit` before it validates the UTF-8.
    mutating func text(_ field: String, limit: Int) throws(PayloadFault) -> String {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw .badValue(field) }
        guard let text = String(validating: try bytes(count), as: UTF8.self) else { throw .badValue(field) }
        return text
    }

    /// Reads a reason. Returns `substitute` for an unknown reason of a newer peer.
    mutating func reason(or substitute: PartingReason) throws(PayloadFault) -> PartingReason {
        try reason(rawValue: try integer(), or: substitute)
    }

    /// Converts a reason, and refuses one that peers never send.
    func reason(rawValue: UInt8, or substitute: PartingReason) throws(PayloadFault) -> PartingReason {
        if let reason = PartingReason(rawValue: rawValue), reason.isSaid { return reason }
        let mayBeNew = rawValue > PartingReason.highestKnown && WireVersion.isNewer(peerMinor)
        guard mayBeNew else { throw .badValue("reason") }
        return substitute
    }

    /// Checks that no bytes remain. The additions of a newer peer after the last known field are allowed.
    func finish() throws(PayloadFault) {
        guard remaining == 0 || WireVersion.isNewer(peerMinor) else { throw .trailing(remaining) }
    }
}

extension PartingReason {
    fileprivate static let highestKnown = allCases.map(\.rawValue).max() ?? 0
}
