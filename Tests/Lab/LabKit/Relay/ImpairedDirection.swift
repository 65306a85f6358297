/// One direction of an impaired cable. It decides if and when each frame leaves at the other end.
///
/// It gets the time from its caller. The cable is a queue before a slow wire, then the wire's length.
struct ImpairedDirection: Sendable {
    enum Fate: Equatable, Sendable {
        case lost
        /// The frame leaves at this time, in the caller's nanoseconds.
        case arrives(at: Int64)
    }

    /// The longest time that a frame waits for the wire before it is dropped: a short queue, like that of a good
    /// router.
    private static let longestQueue: Int64 = 100_000_000
    /// The bytes of a burst that pass, no matter how slow the wire is.
    private static let smallestBacklog = 65_536

    private let impairment: Impairment
    private let delay: Int64
    private let jitter: Int64
    private var dice: SeededDice
    /// The time at which the wire will have sent all frames so far.
    private var wireIsFreeAt: Int64 = 0
    private var lastArrival: Int64 = 0

    init(_ impairment: Impairment, seed: UInt64) {
        self.impairment = impairment
        delay = Impairment.nanoseconds(impairment.delay)
        jitter = Impairment.nanoseconds(impairment.jitter)
        dice = SeededDice(seed: seed)
    }

    mutating func fate(ofFrameOf byteCount: Int, at now: Int64) -> Fate {
        // A number is drawn for every frame, so that the fate of one does not depend on earlier ones.
        let isLost = Double.random(in: 0..<100, using: &dice) < impairment.lossPercent
        let deviation = jitter == 0 ? 0 : Int64.random(in: -jitter...jitter, using: &dice)
        guard !isLost, let sent = send(byteCount, at: now) else { return .lost }
        var arrival = max(sent + delay + deviation, sent)
        if !impairment.allowsReordering { arrival = max(arrival, lastArrival) }
        lastArrival = max(arrival, lastArrival)
        return .arrives(at: arrival)
    }

    /// The time at which the wire will have sent the frame; nil if the queue is full.
    private mutating func send(_ byteCount: Int, at now: Int64) -> Int64? {
        guard let rate = impairment.bitsPerSecond else { return now }
        let start = max(now, wireIsFreeAt)
        let longest = max(Self.longestQueue, Self.duration(of: Self.smallestBacklog, at: rate))
        guard start - now <= longest else { return nil }
        wireIsFreeAt = start + Self.duration(of: byteCount, at: rate)
        return wireIsFreeAt
    }

    private static func duration(of byteCount: Int, at rate: Int) -> Int64 {
        Int64(Double(byteCount) * 8 * 1_000_000_000 / Double(rate))
    }
}
