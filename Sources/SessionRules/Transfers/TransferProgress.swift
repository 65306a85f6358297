/// The bytes, the rate and the time left of a transfer. The rate is that of the last four seconds, so it neither jumps
/// with each block nor depends on the distant past.
public struct TransferProgress: Hashable, Sendable {
    /// The time that the rate covers.
    public static let window = Duration.seconds(4)
    /// The least time between two samples.
    private static let spacing = Duration.milliseconds(250)

    private struct Sample: Hashable, Sendable {
        var done: UInt64
        var at: ContinuousClock.Instant
    }

    /// The size in bytes.
    public let total: UInt64
    /// The bytes that are transferred.
    public private(set) var done: UInt64 = 0
    private var samples: [Sample]

    /// - Parameters:
    ///   - total: the size in bytes
    ///   - now: the time
    public init(total: UInt64, at now: ContinuousClock.Instant) {
        self.total = total
        samples = [Sample(done: 0, at: now)]
    }

    /// The part that is transferred, from 0 to 1. An empty transfer is complete.
    public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }

    /// Continues at an offset. Bytes before it don't count for the rate.
    public mutating func resume(from offset: UInt64, at now: ContinuousClock.Instant) {
        done = min(offset, total)
        samples = [Sample(done: done, at: now)]
    }

    /// Notes that the bytes before an offset are transferred.
    public mutating func moved(to offset: UInt64, at now: ContinuousClock.Instant) {
        done = max(done, min(offset, total))
        if let last = samples.last, samples.count > 1, last.at - samples[samples.count - 2].at < Self.spacing {
            samples.removeLast()
        }
        samples.append(Sample(done: done, at: now))
        // One sample older than the window stays, so that the window is always full.
        while samples.count > 2, now - samples[1].at >= Self.window { samples.removeFirst() }
    }

    /// The rate in bytes a second; nil before there is one. It sinks while no bytes move.
    public func rate(at now: ContinuousClock.Instant) -> Double? {
        guard let first = samples.last(where: { now - $0.at >= Self.window }) ?? samples.first else { return nil }
        let seconds = (now - first.at) / .seconds(1)
        return seconds > 0 ? Double(done - first.done) / seconds : nil
    }

    /// The time for the rest at this rate; nil while no bytes move.
    public func timeLeft(at now: ContinuousClock.Instant) -> Duration? {
        if done == total { return .zero }
        guard let rate = rate(at: now), rate >= 1 else { return nil }
        return .seconds(Double(total - done) / rate)
    }
}
