import Vocabulary

extension ChannelFrame {
    /// The largest payload of a frame on this channel, in bytes.
    public static var payloadLimit: Int { WireLimits.channelPayload }

    /// The largest payload of a frame other than `data` and `held`, in bytes.
    public static var wordLimit: Int { WireLimits.channelWord }

    /// The largest payloads of `data` and `held`, in bytes.
    public static var largerPayloads: [UInt8: Int] { sizes }

    private static let sizes = [
        ChannelFrameType.data.rawValue: WireLimits.data,
        ChannelFrameType.held.rawValue: heldLimit(of: WireLimits.digests),
    ]

    /// The limit of a frame with this number of digests. 64 bytes more are for the other fields, with room for fields
    /// that a newer peer adds.
    static func heldLimit(of digests: Int) -> Int { digests * ContentDigest.byteCount + 64 }

    /// The first byte of a data channel. A control channel never begins with it.
    public static var openType: UInt8 { ChannelFrameType.open.rawValue }

    /// True if a frame of this channel has this type.
    public static func isKnown(_ type: UInt8) -> Bool { ChannelFrameType(rawValue: type) != nil }

    /// Always nil: the control channel of the link has announced the version already.
    public var announcedMinor: UInt16? { nil }

    /// Decodes one payload. The bytes of a `data` frame share the payload's storage.
    public init(type: UInt8, payload: [UInt8], peerMinor: UInt16) throws(WireError) {
        guard let known = ChannelFrameType(rawValue: type) else {
            throw WireError(.unknownFrame, in: type, peerMinor: peerMinor)
        }
        var reader = FrameReader(payload, peerMinor: peerMinor)
        do {
            self = try Self.frame(known, from: &reader)
            try reader.finish()
        } catch {
            throw WireError(error, in: type, peerMinor: peerMinor)
        }
    }

    private static func frame(_ type: ChannelFrameType, from reader: inout FrameReader) throws(PayloadFault) -> Self {
        switch type {
        case .open: .open(try reader.value())
        case .ready: .ready
        case .streamBegin: .streamBegin(try reader.value())
        case .streamTaken: .streamTaken
        case .data: .data(try data(from: &reader))
        case .end: .end
        case .abort: .abort(try reader.value())
        case .resourceBegin: .resourceBegin(try reader.value())
        case .held: .held(try reader.value())
        case .startAt: .startAt(try reader.value())
        case .resourceEnd: .resourceEnd(try reader.value())
        case .stored: .stored(try reader.value())
        case .verified: .verified(try reader.value())
        case .failed: .failed(try reader.value())
        }
    }

    private static func data(from reader: inout FrameReader) throws(PayloadFault) -> ArraySlice<UInt8> {
        let bytes = reader.rest()
        guard (1...WireLimits.data).contains(bytes.count) else { throw .badValue("bytes") }
        return bytes
    }

    /// Appends the whole frame with its header.
    ///
    /// - Precondition: a `data` frame has 1 byte to 1 MiB
    public func encode(into bytes: inout [UInt8]) {
        let type = type.rawValue
        switch self {
        case .open(let body): bytes.appendFrame(type, body)
        case .ready, .streamTaken, .end: bytes.appendFrame(type)
        case .streamBegin(let body): bytes.appendFrame(type, body)
        case .data(let content):
            Self.appendDataHeader(count: content.count, to: &bytes)
            bytes.append(contentsOf: content)
        case .abort(let body): bytes.appendFrame(type, body)
        case .resourceBegin(let id): bytes.appendFrame(type, id)
        case .held(let body): bytes.appendFrame(type, body)
        case .startAt(let count), .verified(let count): bytes.appendFrame(type, count)
        case .resourceEnd(let body): bytes.appendFrame(type, body)
        case .stored(let name): bytes.appendFrame(type, name)
        case .failed(let body): bytes.appendFrame(type, body)
        }
    }

    /// Appends only the header of a `data` frame, so that the caller can send the bytes without copying them.
    ///
    /// - Precondition: `count` is 1 byte to 1 MiB
    public static func appendDataHeader(count: Int, to bytes: inout [UInt8]) {
        precondition((1...WireLimits.data).contains(count), "a data frame is neither empty nor too large")
        bytes.append(integer: UInt32(ChannelFrameType.data.rawValue) << 24 | UInt32(count))
    }

    /// The four bytes that ``appendDataHeader(count:to:)`` appends.
    public static func dataHeader(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        appendDataHeader(count: count, to: &bytes)
        return bytes
    }

    var type: ChannelFrameType {
        switch self {
        case .open: .open
        case .ready: .ready
        case .streamBegin: .streamBegin
        case .streamTaken: .streamTaken
        case .data: .data
        case .end: .end
        case .abort: .abort
        case .resourceBegin: .resourceBegin
        case .held: .held
        case .startAt: .startAt
        case .resourceEnd: .resourceEnd
        case .stored: .stored
        case .verified: .verified
        case .failed: .failed
        }
    }
}
