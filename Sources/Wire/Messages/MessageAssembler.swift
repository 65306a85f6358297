import Vocabulary

/// Puts the messages of one peer in one session together again, in order, each once.
///
/// It holds at most one message that is not whole. It is not told the session: who has several keeps one for each.
public struct MessageAssembler: Sendable {
    /// One message as it was sent.
    public struct Whole: Hashable, Sendable {
        /// Its number.
        public let sequence: UInt64
        /// All of it.
        public let bytes: ArraySlice<UInt8>
    }

    private struct Unfinished {
        let total: Int
        var bytes: [UInt8]
    }

    /// The number of the last message that came whole: what `Resume` says.
    public private(set) var received: UInt64
    private var unfinished: Unfinished?

    /// - Parameter received: the number of the last message that came whole before
    public init(received: UInt64 = 0) {
        self.received = received
    }

    /// How many bytes of a message that is not whole are held.
    public var heldByteCount: Int { unfinished?.bytes.count ?? 0 }

    /// The link broke: what is not whole will be sent again from its beginning.
    public mutating func forgetUnfinished() {
        unfinished = nil
    }

    /// Takes the beginning of a message; hands it out where it is whole already.
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

    /// Takes the next part of a message; hands it out where that makes it whole.
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
