/// A frame of one kind of channel: ``ControlFrame`` or ``ChannelFrame``.
public protocol WireFrame: Hashable, Sendable {
    /// The largest payload of a frame on this channel, in bytes. It limits skipped frames, too.
    static var payloadLimit: Int { get }

    /// The largest payload of a frame with a known type, in bytes, except those in ``largerPayloads``.
    static var wordLimit: Int { get }

    /// The largest payloads of those types that may exceed ``wordLimit``, in bytes.
    static var largerPayloads: [UInt8: Int] { get }

    /// True if a frame of this channel has this type.
    static func isKnown(_ type: UInt8) -> Bool

    /// Decodes one payload.
    ///
    /// - Parameters:
    ///   - type: the first byte of the header
    ///   - payload: the whole payload without the header
    ///   - peerMinor: the minor version of the sender; a newer one may have added fields at the end
    init(type: UInt8, payload: [UInt8], peerMinor: UInt16) throws(WireError)

    /// Appends the whole frame with its header.
    func encode(into bytes: inout [UInt8])

    /// The minor version of the sender, if this frame announces it.
    var announcedMinor: UInt16? { get }
}

extension WireFrame {
    /// The same as ``payloadLimit``.
    public static var wordLimit: Int { payloadLimit }
    /// An empty table: no type may exceed ``wordLimit``.
    public static var largerPayloads: [UInt8: Int] { [:] }

    /// The whole frame with its header.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }
}

extension WireError {
    init(_ fault: PayloadFault, in type: UInt8, peerMinor: UInt16) {
        let wireFault: Fault =
            switch fault {
            case .cutShort: .cutShort
            case .trailing(let count): .trailingBytes(count: count)
            case .badValue(let field): .badValue(field)
            }
        self.init(wireFault, in: type, peerMinor: peerMinor)
    }
}
