import Vocabulary

/// The messages to one peer of one session that its application has not consumed yet. The window knows how much may
/// still be sent, and the messages to send again after a lost link.
///
/// After a lost link the peer names the last message that it has received. Those messages are released, but their bytes
/// count until they are consumed. Otherwise each lost link would let another whole window pile up at the peer.
///
/// The path of every message is inlinable, so that other modules compile it for their type.
public struct SendWindow<Message: Sendable>: Sendable {
    /// The most unconsumed bytes.
    @inlinable public static var standardCapacity: Int { 2 << 20 }
    /// The bytes that a message counts beyond its own, so that empty ones can't pile up without bound.
    @inlinable public static var overhead: Int { 64 }

    /// A message to send once more.
    public struct Unreceived: Sendable {
        /// Its number.
        public let sequence: UInt64
        /// The message.
        public let message: Message
    }

    @usableFromInline struct Entry: Sendable {
        @usableFromInline let weight: Int
        @usableFromInline var message: Message?

        @inlinable init(weight: Int, message: Message) {
            self.weight = weight
            self.message = message
        }
    }

    /// The most unconsumed bytes.
    public let capacity: Int
    /// The number of unconsumed bytes.
    public var weight: Int { unconsumedWeight }

    @usableFromInline var unconsumedWeight = 0
    /// The number of the last message that was sent. The first message has 1.
    @usableFromInline var lastSent: UInt64 = 0
    /// The number of the last message that the peer's application has consumed.
    @usableFromInline var consumed: UInt64 = 0
    @usableFromInline var received: UInt64 = 0
    @usableFromInline var entries: ArraySlice<Entry> = []

    /// - Parameter capacity: the most unconsumed bytes
    @inlinable public init(capacity: Int = standardCapacity) {
        self.capacity = capacity
    }

    /// Returns true if a message of this many bytes may be sent now. A message larger than the window passes if no
    /// other is unconsumed.
    @inlinable public func hasRoom(for byteCount: Int) -> Bool {
        entries.isEmpty || unconsumedWeight + byteCount + Self.overhead <= capacity
    }

    /// Adds a message that is sent now, and returns its number. Call ``hasRoom(for:)`` before.
    @inlinable public mutating func send(_ message: Message, byteCount: Int) -> UInt64 {
        precondition(hasRoom(for: byteCount), "the window is full: a message must wait")
        let entry = Entry(weight: byteCount + Self.overhead, message: message)
        entries.append(entry)
        unconsumedWeight += entry.weight
        lastSent += 1
        return lastSent
    }

    /// Handles MessageAck.
    @inlinable public mutating func acknowledge(_ consumed: UInt64) throws(ProtocolViolation) {
        try checkAcknowledgement(consumed)
        let count = Int(consumed - self.consumed)
        unconsumedWeight -= entries.prefix(count).reduce(0) { $0 + $1.weight }
        entries = entries.dropFirst(count)
        // A slice keeps its removed elements alive, so now and then it is copied.
        if entries.startIndex > 2 * entries.count + 64 { entries = ArraySlice(Array(entries)) }
        self.consumed = consumed
        received = max(received, consumed)
    }

    @usableFromInline func checkAcknowledgement(_ consumed: UInt64) throws(ProtocolViolation) {
        guard consumed >= self.consumed, consumed <= lastSent else {
            throw ProtocolViolation(
                "message.impossible-ack",
                "the peer consumed messages that were not sent, or counts backwards"
            )
        }
    }

    /// Handles Resume. Returns the messages to send again, in order.
    ///
    /// - Parameter received: the last message that the peer has whole
    public mutating func resume(received: UInt64) throws(ProtocolViolation) -> [Unreceived] {
        guard received >= self.received, received <= lastSent else {
            throw ProtocolViolation(
                "message.impossible-resume",
                "the peer received messages that were not sent, or forgot some"
            )
        }
        self.received = received
        let start = entries.startIndex
        let known = Int(received - consumed)
        for place in start..<(start + known) { entries[place].message = nil }
        return entries.dropFirst(known).enumerated().map { offset, entry in
            guard let message = entry.message else { preconditionFailure("a message was dropped before it arrived") }
            return Unreceived(sequence: received + 1 + UInt64(offset), message: message)
        }
    }
}
