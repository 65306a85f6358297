import Vocabulary

/// The messages to one peer of one session that its application has not consumed yet: what may still be sent, and what has
/// to be sent again after a cut.
///
/// After a cut the peer says what it received. Those messages need not be kept, but they still weigh until they are
/// consumed: otherwise each cut would let another window pile up over there.
///
/// What every message goes through can be seen from other modules, so that it is compiled for the type it is used with.
public struct SendWindow<Message: Sendable>: Sendable {
    /// How many bytes may be unconsumed.
    @inlinable public static var standardCapacity: Int { 2 << 20 }
    /// What a message weighs beyond its bytes, so that empty ones can't pile up without bound.
    @inlinable public static var overhead: Int { 64 }

    /// A message that is to be sent once more.
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

    /// How many bytes may be unconsumed.
    public let capacity: Int
    /// How much is unconsumed, in bytes.
    public var weight: Int { unconsumedWeight }

    @usableFromInline var unconsumedWeight = 0
    /// The number of the last message that was sent; the first has 1.
    @usableFromInline var lastSent: UInt64 = 0
    /// Up to where the peer's application has consumed.
    @usableFromInline var consumed: UInt64 = 0
    @usableFromInline var received: UInt64 = 0
    @usableFromInline var entries: ArraySlice<Entry> = []

    /// - Parameter capacity: how many bytes may be unconsumed
    @inlinable public init(capacity: Int = standardCapacity) {
        self.capacity = capacity
    }

    /// Whether a message of this many bytes may be sent now. What is larger than the window passes when nothing else is on
    /// its way.
    @inlinable public func hasRoom(for byteCount: Int) -> Bool {
        entries.isEmpty || unconsumedWeight + byteCount + Self.overhead <= capacity
    }

    /// Takes a message that is sent now, and gives it its number. Ask ``hasRoom(for:)`` before.
    @inlinable public mutating func send(_ message: Message, byteCount: Int) -> UInt64 {
        precondition(hasRoom(for: byteCount), "the window is full: a message has to wait")
        let entry = Entry(weight: byteCount + Self.overhead, message: message)
        entries.append(entry)
        unconsumedWeight += entry.weight
        lastSent += 1
        return lastSent
    }

    /// MessageAck came.
    @inlinable public mutating func acknowledge(_ consumed: UInt64) throws(ProtocolViolation) {
        try checkAcknowledgement(consumed)
        let count = Int(consumed - self.consumed)
        unconsumedWeight -= entries.prefix(count).reduce(0) { $0 + $1.weight }
        entries = entries.dropFirst(count)
        // A slice keeps what was cut off alive, so now and then it starts anew.
        if entries.startIndex > 2 * entries.count + 64 { entries = ArraySlice(Array(entries)) }
        self.consumed = consumed
        received = max(received, consumed)
    }

    @usableFromInline func checkAcknowledgement(_ consumed: UInt64) throws(ProtocolViolation) {
        guard consumed >= self.consumed, consumed <= lastSent else {
            throw ProtocolViolation(
                "message.impossible-ack",
                "the peer consumed what was not sent, or counts backwards"
            )
        }
    }

    /// Resume came: what has to be sent again, in order.
    /// - Parameter received: the last message that the peer has whole
    public mutating func resume(received: UInt64) throws(ProtocolViolation) -> [Unreceived] {
        guard received >= self.received, received <= lastSent else {
            throw ProtocolViolation("message.impossible-resume", "the peer received what was not sent, or forgot some")
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
