import Vocabulary

extension ControlFrame {
    /// The largest payload of a frame on this channel, in bytes.
    public static var payloadLimit: Int { WireLimits.controlPayload }

    /// True if a frame of this channel has this type.
    public static func isKnown(_ type: UInt8) -> Bool { ControlFrameType(rawValue: type) != nil }

    /// The minor version of the sender if this is a `Hello`; otherwise nil.
    public var announcedMinor: UInt16? {
        guard case .hello(let hello) = self else { return nil }
        return hello.minor
    }

    /// Decodes one payload.
    public init(type: UInt8, payload: [UInt8], peerMinor: UInt16) throws(WireError) {
        guard let known = ControlFrameType(rawValue: type) else {
            throw WireError(.unknownFrame, in: type, peerMinor: peerMinor)
        }
        var reader = FrameReader(payload, peerMinor: peerMinor)
        do {
            self = try Self.frame(known, from: &reader)
            try reader.finish()
        } catch {
            throw WireError(error, in: type, peerMinor: reader.peerMinor)
        }
    }

    private static func frame(_ type: ControlFrameType, from reader: inout FrameReader) throws(PayloadFault) -> Self {
        switch type {
        case .hello: .hello(try reader.value())
        case .bye: .bye(try reader.reason(or: .left))
        case .ping: .ping(try reader.value())
        case .pong: .pong(try reader.value())
        case .invite: .invite(try reader.value())
        case .inviteReceived: .inviteReceived(try reader.value())
        case .pairShare: .pairShare(try reader.value())
        case .pairReply: .pairReply(try reader.value())
        case .pairConfirm: .pairConfirm(try reader.value())
        case .inviteAnswer: .inviteAnswer(try reader.value())
        case .inviteCancel: .inviteCancel(try reader.value())
        case .members: .members(try reader.value())
        case .leave: .leave(try reader.value())
        case .about: .about(try reader.value())
        case .message: .message(try reader.value())
        case .messagePart: .messagePart(try reader.value())
        case .messageAck: .messageAck(try reader.value())
        case .resume: .resume(try reader.value())
        case .channelRequest: .channelRequest(try reader.value())
        case .resourceOffer: .resourceOffer(try reader.value())
        case .resourceAnswer: .resourceAnswer(try reader.value())
        case .transferCancel: .transferCancel(try reader.value())
        }
    }

    /// Appends the whole frame with its header.
    public func encode(into bytes: inout [UInt8]) {
        let type = type.rawValue
        switch self {
        case .hello(let body): bytes.appendFrame(type, body)
        case .bye(let reason): bytes.appendFrame(type, reason)
        case .ping(let number), .pong(let number): bytes.appendFrame(type, number)
        case .invite(let body): bytes.appendFrame(type, body)
        case .inviteReceived(let body): bytes.appendFrame(type, body)
        case .pairShare(let body): bytes.appendFrame(type, body)
        case .pairReply(let body): bytes.appendFrame(type, body)
        case .pairConfirm(let body): bytes.appendFrame(type, body)
        case .inviteAnswer(let body): bytes.appendFrame(type, body)
        case .inviteCancel(let body): bytes.appendFrame(type, body)
        case .members(let body): bytes.appendFrame(type, body)
        case .leave(let body): bytes.appendFrame(type, body)
        case .about(let body): bytes.appendFrame(type, body)
        case .message(let body): bytes.appendFrame(type, body)
        case .messagePart(let body): bytes.appendFrame(type, body)
        case .messageAck(let body): bytes.appendFrame(type, body)
        case .resume(let body): bytes.appendFrame(type, body)
        case .channelRequest(let id): bytes.appendFrame(type, id)
        case .resourceOffer(let body): bytes.appendFrame(type, body)
        case .resourceAnswer(let body): bytes.appendFrame(type, body)
        case .transferCancel(let body): bytes.appendFrame(type, body)
        }
    }

    var type: ControlFrameType {
        switch self {
        case .hello: .hello
        case .bye: .bye
        case .ping: .ping
        case .pong: .pong
        case .invite: .invite
        case .inviteReceived: .inviteReceived
        case .pairShare: .pairShare
        case .pairReply: .pairReply
        case .pairConfirm: .pairConfirm
        case .inviteAnswer: .inviteAnswer
        case .inviteCancel: .inviteCancel
        case .members: .members
        case .leave: .leave
        case .about: .about
        case .message: .message
        case .messagePart: .messagePart
        case .messageAck: .messageAck
        case .resume: .resume
        case .channelRequest: .channelRequest
        case .resourceOffer: .resourceOffer
        case .resourceAnswer: .resourceAnswer
        case .transferCancel: .transferCancel
        }
    }
}
