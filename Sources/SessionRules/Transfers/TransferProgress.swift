/// How far a transfer has come, how fast it goes and how long it will take. The rate is that of the last few seconds, so it
/// neither jumps with each block nor remembers how it was an hour ago.
public struct TransferProgress: Hashable, Sendable {
    /// How far back the rate looks.
    public static let window = Duration.seconds(4)
    /// How far apart samples are taken.
    private static let spacing = Duration.milliseconds(250)

    private struct Sample: Hashable, Sendable {
        var done: UInt64
        var at: ContinuousClock.Instant
    }

    /// How many bytes there are in all.
    public let total: UInt64
    /// How many of them are there.
    public private(set) var done: UInt64 = 0
    private var samples: [Sample]

    /// - Parameters:
    ///   - total: how many bytes there are in all
    ///   - now: the time
    public init(total: UInt64, at now: ContinuousClock.Instant) {
        self.total = total
        samples = [Sample(done: 0, at: now)]
    }

    /// From 0 to 1. What is empty is done.
    public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }

    /// It goes on from here. What was held already is no speed.
    public mutating func resume(from offset: UInt64, at now: ContinuousClock.Instant) {
        done = min(offset, total)
        samples = [Sample(done: done, at: now)]
    }

    /// It has come this far.
    public mutating func moved(to offset: UInt64, at now: ContinuousClock.Instant) {
        done = max(done, min(offset, total))
        if let last = samples.last, samples.count > 1, last.at - samples[samples.count - 2].at < Self.spacing {
            samples.removeLast()
        }
        samples.append(Sample(done: done, at: now))
        // One sample older than the window stays, so that the window is always full.
        while samples.count > 2, now - samples[1].at >= Self.window { samples.removeFirst() }
    }

    /// Bytes a second; nil before anything can be said. It sinks while nothing moves.
    public func rate(at now: ContinuousClock.Instant) -> Double? {
        guard let first = samples.last(where: { now - $0.at >= Self.window }) ?? samples.first else { return nil }
        let seconds = (now - first.at) / .seconds(1)
        return seconds > 0 ? Double(done - first.done) / seconds : nil
    }

    /// How long the rest takes at this rate; nil where nothing moves.
    public func timeLeft(at now: ContinuousClock.Instant) -> Duration? {
        if done == total { return .zero }
        guard let rate = rate(at: now), rate >= 1 else { return nil }
        return .seconds(Double(total - done) / rate)
    }
}
