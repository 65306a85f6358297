public import Vocabulary

/// A breach of the protocol by a peer. The link ends with ``partingReason``.
public struct WireError: ExplainedError, Equatable {
    /// The kind of breach.
    public enum Fault: Hashable, Sendable {
        /// A frame announces more than its channel allows.
        case frameTooLong(length: Int, limit: Int)
        /// No frame of this channel has that type.
        case unknownFrame
        /// The payload ends inside a field.
        case cutShort
        /// The payload has bytes after the last field.
        case trailingBytes(count: Int)
        /// The named field has a value that is not allowed.
        case badValue(String)
        /// A message has a number other than the next one.
        case wrongSequence(expected: UInt64, came: UInt64)
        /// A message began before the previous one was complete.
        case interruptedMessage
        /// The parts of a message have more bytes than it announced.
        case overlongMessage
        /// The datagram has no valid header of Huddle.
        case foreignDatagram
    }

    /// The kind of breach.
    public let fault: Fault
    /// The type of the frame, or the kind of the datagram; nil if a datagram has no valid header.
    public let type: UInt8?
    /// True if the peer speaks a newer minor version, which may allow what this version does not.
    public let isPeerNewer: Bool

    init(_ fault: Fault, in type: UInt8?, peerMinor: UInt16) {
        self.fault = fault
        self.type = type
        isPeerNewer = WireVersion.isNewer(peerMinor)
    }

    /// The reason for which the link ends.
    public var partingReason: PartingReason {
        fault == .unknownFrame && isPeerNewer ? .wrongVersion : .brokeProtocol
    }

    /// The stable code of the breach.
    public var code: ErrorCode {
        switch fault {
        case .frameTooLong: "wire.frame-too-long"
        case .unknownFrame: "wire.unknown-frame"
        case .cutShort: "wire.cut-short"
        case .trailingBytes: "wire.trailing-bytes"
        case .badValue: "wire.bad-value"
        case .wrongSequence: "wire.wrong-sequence"
        case .interruptedMessage: "wire.interrupted-message"
        case .overlongMessage: "wire.overlong-message"
        case .foreignDatagram: "wire.foreign-datagram"
        }
    }

    /// The explanation for the user, with the type of the frame.
    public var message: String {
        let place = type.map { "frame 0x\($0 < 16 ? "0" : "")\(String($0, radix: 16)): " } ?? ""
        return "the peer broke the protocol: \(place)\(sentence)"
    }

    private var sentence: String {
        switch fault {
        case .frameTooLong(let length, let limit): "it announces \(length) bytes, but \(limit) are allowed"
        case .unknownFrame: "this channel has no such type"
        case .cutShort: "it ends inside a field"
        case .trailingBytes(let count): "\(count) bytes follow its last field"
        case .badValue(let field): "its field “\(field)” has a value that is not allowed"
        case .wrongSequence(let expected, let came): "message \(came) arrived instead of \(expected)"
        case .interruptedMessage: "a message began before the previous one was complete"
        case .overlongMessage: "the parts of a message have more bytes than it announced"
        case .foreignDatagram: "a datagram has no valid header of Huddle"
        }
    }

    /// A hint to update: usually the two machines run different versions.
    public var nextStep: String {
        isPeerNewer
            ? "update Huddle on this machine: the peer has a newer version"
            : "install the same version of Huddle on both machines; if this happens again, report it with this line"
    }
}
