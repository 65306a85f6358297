public import Vocabulary

/// A limit for the speed of one direction, in bytes a second.
public struct SpeedLimit: Hashable, Sendable {
    /// Bytes a second; nil without a limit.
    public let bytesPerSecond: UInt64?

    /// The lowest limit. Below it a machine that waits for a save would take this one for silent.
    public static let least = ByteCount(16 << 10)

    /// No limit.
    public static let none = SpeedLimit()

    private init() { bytesPerSecond = nil }

    /// Makes a limit; nil if the speed is below ``least``, or beyond any network.
    public init?(_ speed: ByteCount) {
        guard speed >= Self.least, speed.bytes <= 1 << 50 else { return nil }
        bytesPerSecond = speed.bytes
    }
}

/// The account of one direction. It says when the next bytes may move, so that no second has more than the limit.
///
/// A pure value. Bytes are booked before they leave or right after they have arrived. If more are booked than the limit
/// allows, the caller waits. Unused time counts for a tenth of a second and no longer, so that no burst follows a
/// pause.
public struct SpeedBucket: Sendable {
    /// The limit.
    public private(set) var limit: SpeedLimit
    /// The time at which all booked bytes are paid.
    private var paid: ContinuousClock.Instant
    /// The longest unused time that counts.
    private static let credit = Duration.milliseconds(100)
    private static let parts = (least: 4 << 10, most: 256 << 10, aSecond: 20)

    /// - Parameters:
    ///   - limit: the limit
    ///   - now: the time
    public init(_ limit: SpeedLimit, at now: ContinuousClock.Instant) { (self.limit, paid) = (limit, now) }

    /// The most bytes that move at once; nil without a limit. More would be booked too late to be exact.
    public var part: Int? {
        limit.bytesPerSecond.map { min(max(Int($0) / Self.parts.aSecond, Self.parts.least), Self.parts.most) }
    }

    /// The time during which no byte may move.
    public func wait(at now: ContinuousClock.Instant) -> Duration {
        limit == .none ? .zero : max(paid - now, .zero)
    }

    /// Books bytes that move. Returns the time to wait before they leave, if they have not moved yet.
    public mutating func book(_ count: Int, at now: ContinuousClock.Instant) -> Duration {
        guard let speed = limit.bytesPerSecond else { return .zero }
        let start = max(paid, now - Self.credit)
        paid = start + .seconds(Double(count) / Double(speed))
        return max(start - now, .zero)
    }

    /// Changes the limit. A debt keeps its number of bytes.
    public mutating func change(to new: SpeedLimit, at now: ContinuousClock.Instant) {
        let debt = wait(at: now) / .seconds(1) * Double(limit.bytesPerSecond ?? 0)
        (limit, paid) = (new, now)
        if debt > 0 { _ = book(Int(debt), at: now) }
    }
}
