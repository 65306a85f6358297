import Vocabulary

/// Assembles the messages of one peer in one session from their frames, in order, each once.
///
/// It holds at most one incomplete message. It ignores the session of a frame: callers keep one assembler a session.
public struct MessageAssembler: Sendable {
    /// One complete message.
    public struct Whole: Hashable, Sendable {
        /// The number of the message, from 1.
        public let sequence: UInt64
        /// All bytes of the message.
        public let bytes: ArraySlice<UInt8>
    }

    private struct Unfinished {
        let total: Int
        var bytes: [UInt8]
    }

    /// The number of the last complete message, which `Resume` reports; 0 for none.
    public private(set) var received: UInt64
    private var unfinished: Unfinished?

    /// - Parameter received: the number of the last message that was complete before
    public init(received: UInt64 = 0) {
        self.received = received
    }

    /// The bytes held of an incomplete message.
    public var heldByteCount: Int { unfinished?.bytes.count ?? 0 }

    /// Drops the incomplete message after the link broke. The peer sends it again from its beginning.
    public mutating func forgetUnfinished() {
        unfinished = nil
    }

    /// Adds the first frame of a message; returns the message if that frame completes it.
    public mutating func take(_ message: ControlFrame.Message) throws(WireError) -> Whole? {
        guard unfinished == nil else { throw Self.error(.interruptedMessage, .message) }
        try checkNext(message.sequence, .message)
        if message.bytes.count == message.total {
            received = message.sequence
            return Whole(sequence: message.sequence, bytes: message.bytes)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(message.total)
        bytes.append(contentsOf: message.bytes)
        unfinished = Unfinished(total: message.total, bytes: bytes)
        return nil
    }

    /// Adds a further frame of a message; returns the message if that frame completes it.
    public mutating func take(_ part: ControlFrame.MessagePart) throws(WireError) -> Whole? {
        try checkNext(part.sequence, .messagePart)
        guard var grown = unfinished.take(), part.bytes.count <= grown.total - grown.bytes.count else {
            throw Self.error(.overlongMessage, .messagePart)
        }
        grown.bytes.append(contentsOf: part.bytes)
        guard grown.bytes.count == grown.total else {
            unfinished = grown
            return nil
        }
        received = part.sequence
        return Whole(sequence: part.sequence, bytes: grown.bytes[...])
    }

    private func checkNext(_ sequence: UInt64, _ type: ControlFrameType) throws(WireError) {
        guard received < .max, sequence == received + 1 else {
            throw Self.error(.wrongSequence(expected: received &+ 1, came: sequence), type)
        }
    }

    private static func error(_ fault: WireError.Fault, _ type: ControlFrameType) -> WireError {
        WireError(fault, in: type.rawValue, peerMinor: WireVersion.minor)
    }
}
