import Vocabulary

/// The messages from one peer of one session. They are whole and in order, each comes once, and the window limits them.
public struct ReceiveWindow: Sendable {
    /// The most messages that are consumed before MessageAck is due.
    public static let messagesPerAck: UInt64 = 256
    private static let overhead = SendWindow<Never>.overhead
    private static let keptCount = 256

    /// The number of the last message that came whole, which Resume carries.
    public private(set) var received: UInt64 = 0
    /// The number of the last message that the application has consumed, which MessageAck carries.
    public private(set) var consumed: UInt64 = 0

    private let capacity: Int
    private var acknowledged: UInt64 = 0
    private var isAckInDoubt = false
    private var consumedWeight = 0
    private var weight = 0
    /// The weights of the messages that came whole. Those from `oldest` on are not consumed yet.
    private var waiting: [Int] = []
    private var oldest = 0
    private var coming: (sequence: UInt64, weight: Int)?

    /// - Parameter capacity: the capacity of the peer's ``SendWindow``
    public init(capacity: Int = SendWindow<Never>.standardCapacity) {
        self.capacity = capacity
    }

    /// The bytes of unconsumed whole messages, and of the message that has begun.
    public var heldWeight: Int { unconsumedWeight + (coming?.weight ?? 0) }
    /// The bytes of unconsumed whole messages.
    public var unconsumedWeight: Int { weight - consumedWeight }

    /// True if a message has begun and not ended yet.
    public var isMidMessage: Bool { coming != nil }

    /// Begins a message.
    ///
    /// - Parameters:
    ///   - sequence: its number
    ///   - byteCount: the size of the whole message
    public mutating func begin(_ sequence: UInt64, byteCount: Int) throws(ProtocolViolation) {
        guard coming == nil else {
            throw ProtocolViolation("message.interleaved", "the peer began a message inside of another")
        }
        guard sequence == received + 1 else {
            throw ProtocolViolation("message.out-of-order", "the peer left out a message, or sent one twice")
        }
        let isAlone = weight == 0
        guard isAlone || weight + byteCount + Self.overhead <= capacity else {
            throw ProtocolViolation("message.too-many", "the peer sent more than the window allows")
        }
        coming = (sequence, byteCount + Self.overhead)
    }

    /// Ends the message that has begun. It may go to the application.
    public mutating func complete() {
        guard let coming else { preconditionFailure("no message has begun") }
        received = coming.sequence
        weight += coming.weight
        waiting.append(coming.weight)
        self.coming = nil
    }

    /// Handles the loss of the link. A message that has begun comes again as a whole. The last MessageAck may have been
    /// lost, so ``takeAck()`` returns it once more.
    public mutating func cut() {
        coming = nil
        isAckInDoubt = consumed > 0
    }

    /// Notes that the application has consumed the next message.
    ///
    /// - Returns: the number for MessageAck, if one is due
    public mutating func consumeNext() -> UInt64? {
        guard oldest < waiting.count else { preconditionFailure("there is nothing to consume") }
        consumed += 1
        consumedWeight += waiting[oldest]
        oldest += 1
        dropConsumed()
        let isDue = consumedWeight >= capacity / 4 || consumed - acknowledged >= Self.messagesPerAck
        return isDue ? takeAck() : nil
    }

    /// The number for a MessageAck that is sent now; nil if the peer knows it already. It is for moments such as a new
    /// link, after Resume, or the end of a session.
    public mutating func takeAck() -> UInt64? {
        guard consumed > acknowledged || isAckInDoubt else { return nil }
        weight -= consumedWeight
        consumedWeight = 0
        acknowledged = consumed
        isAckInDoubt = false
        return consumed
    }

    /// Removes consumed weights. Usually all are consumed when the next message comes, which then uses the same memory.
    private mutating func dropConsumed() {
        if oldest == waiting.count {
            waiting.removeAll(keepingCapacity: waiting.capacity <= Self.keptCount)
            oldest = 0
        } else if oldest >= Self.keptCount {
            waiting.removeSubrange(..<oldest)
            oldest = 0
        }
    }
}
