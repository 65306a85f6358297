public import Vocabulary

/// What a peer sent is not what the protocol allows. The link ends with ``partingReason``.
public struct WireError: ExplainedError, Equatable {
    /// What was wrong.
    public enum Fault: Hashable, Sendable {
        /// A frame announces more than its lane allows.
        case frameTooLong(length: Int, limit: Int)
        /// No frame of this lane has that type.
        case unknownFrame
        /// The payload ends inside a field.
        case cutShort
        /// The payload goes on after the last field.
        case trailingBytes(count: Int)
        /// A field holds what it must not; the word names the field.
        case badValue(String)
        /// A message came with a number other than the next.
        case wrongSequence(expected: UInt64, came: UInt64)
        /// A message began before the one before it was whole.
        case interruptedMessage
        /// The parts of a message are more than it announced.
        case overlongMessage
        /// A datagram does not begin like one of ours.
        case foreignDatagram
    }

    /// What was wrong.
    public let fault: Fault
    /// The type of the frame, or the kind of the datagram, in which it was wrong.
    public let type: UInt8?
    /// Whether the peer speaks a newer minor version, so that it may well be right.
    public let isPeerNewer: Bool

    init(_ fault: Fault, in type: UInt8?, peerMinor: UInt16) {
        self.fault = fault
        self.type = type
        isPeerNewer = WireVersion.isNewer(peerMinor)
    }

    /// Why the link ends.
    public var partingReason: PartingReason {
        fault == .unknownFrame && isPeerNewer ? .wrongVersion : .brokeProtocol
    }

    /// The fault as a stable word.
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

    /// What the peer sent.
    public var message: String {
        let place = type.map { "frame 0x\($0 < 16 ? "0" : "")\(String($0, radix: 16)): " } ?? ""
        return "the peer broke the protocol: \(place)\(sentence)"
    }

    private var sentence: String {
        switch fault {
        case .frameTooLong(let length, let limit): "it announces \(length) bytes and \(limit) are allowed"
        case .unknownFrame: "its type is not known on this lane"
        case .cutShort: "it ends inside a field"
        case .trailingBytes(let count): "\(count) bytes follow its last field"
        case .badValue(let field): "its field “\(field)” holds what it must not"
        case .wrongSequence(let expected, let came): "message \(came) came where \(expected) was next"
        case .interruptedMessage: "a message began before the one before it was whole"
        case .overlongMessage: "the parts of a message are more than it announced"
        case .foreignDatagram: "a datagram does not begin like one of Huddle's"
        }
    }

    /// Usually the two differ in version.
    public var nextStep: String {
        isPeerNewer
            ? "update Huddle on this machine, the peer's is newer"
            : "bring both machines to the same version of Huddle; if it happens again, report it with this line"
    }
}
