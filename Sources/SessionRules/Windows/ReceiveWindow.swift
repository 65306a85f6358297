import Vocabulary

/// The messages from one peer of one session: whole and in order, each once, and never more of them than the window holds.
public struct ReceiveWindow: Sendable {
    /// How many messages are consumed before that is said, at the latest.
    public static let messagesPerAck: UInt64 = 256
    private static let overhead = SendWindow<Never>.overhead
    private static let keptCount = 256

    /// The last message that came whole; this is what Resume says.
    public private(set) var received: UInt64 = 0
    /// The last message that the application has consumed; this is what MessageAck says.
    public private(set) var consumed: UInt64 = 0

    private let capacity: Int
    private var acknowledged: UInt64 = 0
    private var isAckInDoubt = false
    private var consumedWeight = 0
    private var weight = 0
    /// The weights of those that came whole, from `oldest` on not consumed yet.
    private var waiting: [Int] = []
    private var oldest = 0
    private var coming: (sequence: UInt64, weight: Int)?

    /// - Parameter capacity: that of the peer's ``SendWindow``
    public init(capacity: Int = SendWindow<Never>.standardCapacity) {
        self.capacity = capacity
    }

    /// How many bytes are here: whole messages that the application has not consumed, and the one that has begun.
    public var heldWeight: Int { unconsumedWeight + (coming?.weight ?? 0) }
    /// How many bytes the whole messages have that the application has not consumed.
    public var unconsumedWeight: Int { weight - consumedWeight }

    /// Whether a message has begun and not ended yet.
    public var isMidMessage: Bool { coming != nil }

    /// A message begins.
    /// - Parameters:
    ///   - sequence: its number
    ///   - byteCount: how many bytes it will have in all
    public mutating func begin(_ sequence: UInt64, byteCount: Int) throws(ProtocolViolation) {
        guard coming == nil else {
            throw ProtocolViolation("message.interleaved", "the peer began a message inside of another")
        }
        guard sequence == received + 1 else {
            throw ProtocolViolation("message.out-of-order", "the peer left out a message, or sent one twice")
        }
        let isAlone = weight == 0
        guard isAlone || weight + byteCount + Self.overhead <= capacity else {
            throw ProtocolViolation("message.too-many", "the peer sent more than was asked for")
        }
        coming = (sequence, byteCount + Self.overhead)
    }

    /// The message that has begun is whole. It may be given to the application.
    public mutating func complete() {
        guard let coming else { preconditionFailure("no message has begun") }
        received = coming.sequence
        weight += coming.weight
        waiting.append(coming.weight)
        self.coming = nil
    }

    /// The link is gone: what has come of a message is void, and all of it will come again. The last MessageAck may have
    /// been lost, so ``takeAck()`` says it once more.
    public mutating func cut() {
        coming = nil
        isAckInDoubt = consumed > 0
    }

    /// The application has consumed the next message.
    /// - Returns: what MessageAck says, where one is due
    public mutating func consumeNext() -> UInt64? {
        guard oldest < waiting.count else { preconditionFailure("there is nothing to consume") }
        consumed += 1
        consumedWeight += waiting[oldest]
        oldest += 1
        dropConsumed()
        let isDue = consumedWeight >= capacity / 4 || consumed - acknowledged >= Self.messagesPerAck
        return isDue ? takeAck() : nil
    }

    /// What MessageAck says if it is sent now; nil where the peer knows already. For moments such as a new link, after
    /// Resume, or a leave-taking.
    public mutating func takeAck() -> UInt64? {
        guard consumed > acknowledged || isAckInDoubt else { return nil }
        weight -= consumedWeight
        consumedWeight = 0
        acknowledged = consumed
        isAckInDoubt = false
        return consumed
    }

    /// Mostly all has been consumed when the next message comes: it finds the same memory.
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
