/// A frame of one kind of lane. ``ControlFrame`` and ``LaneFrame`` are the two that there are.
public protocol WireFrame: Hashable, Sendable {
    /// How many bytes the payload of a frame on this lane may have, also of one that is passed over.
    static var payloadLimit: Int { get }

    /// How many bytes the payload of a frame may have whose type is known, but for those in ``largerPayloads``.
    static var wordLimit: Int { get }

    /// How many bytes the payloads of single types may have that are longer than all others.
    static var largerPayloads: [UInt8: Int] { get }

    /// Whether a frame of this lane has that type.
    static func isKnown(_ type: UInt8) -> Bool

    /// Reads one payload.
    ///
    /// - Parameters:
    ///   - type: the first byte of the header
    ///   - payload: all of it, and nothing else
    ///   - peerMinor: the minor version of the sender; a newer one may have added fields at the end
    init(type: UInt8, payload: [UInt8], peerMinor: UInt16) throws(WireError)

    /// Appends the frame, header and all.
    func encode(into bytes: inout [UInt8])

    /// The minor version of the sender, where this frame says it.
    var announcedMinor: UInt16? { get }
}

extension WireFrame {
    /// As long as any.
    public static var wordLimit: Int { payloadLimit }
    /// None.
    public static var largerPayloads: [UInt8: Int] { [:] }

    /// The frame, header and all.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }
}

extension WireError {
    init(_ fault: PayloadFault, in type: UInt8, peerMinor: UInt16) {
        let told: Fault =
            switch fault {
            case .cutShort: .cutShort
            case .trailing(let count): .trailingBytes(count: count)
            case .badValue(let field): .badValue(field)
            }
        self.init(told, in: type, peerMinor: peerMinor)
    }
}
