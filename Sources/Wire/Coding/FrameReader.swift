import Vocabulary

/// Walks over the payload of one frame.
struct FrameReader {
    private let payload: [UInt8]
    private var position = 0
    /// The minor version of the sender. `Hello`, which brings it, sets it for itself.
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

    /// The bytes share the payload's storage: nothing is copied.
    mutating func bytes(_ count: Int) throws(PayloadFault) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw .cutShort }
        defer { position += count }
        return payload[position..<position + count]
    }

    /// All that is left.
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

    /// A text behind its length. `limit` keeps a long one from being looked at.
    mutating func text(_ field: String, limit: Int) throws(PayloadFault) -> String {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw .badValue(field) }
        guard let text = String(validating: try bytes(count), as: UTF8.self) else { throw .badValue(field) }
        return text
    }

    /// A reason. Those that are not known here, a newer peer may give; `substitute` is what they are taken for.
    mutating func reason(or substitute: PartingReason) throws(PayloadFault) -> PartingReason {
        try reason(rawValue: try integer(), or: substitute)
    }

    /// What is never said can't be read either.
    func reason(rawValue: UInt8, or substitute: PartingReason) throws(PayloadFault) -> PartingReason {
        if let reason = PartingReason(rawValue: rawValue), reason.isSaid { return reason }
        let mayBeNew = rawValue > PartingReason.highestKnown && WireVersion.isNewer(peerMinor)
        guard mayBeNew else { throw .badValue("reason") }
        return substitute
    }

    /// Whatever a newer peer has added after the last known field is passed over.
    func finish() throws(PayloadFault) {
        guard remaining == 0 || WireVersion.isNewer(peerMinor) else { throw .trailing(remaining) }
    }
}

extension PartingReason {
    fileprivate static let highestKnown = allCases.map(\.rawValue).max() ?? 0
}
