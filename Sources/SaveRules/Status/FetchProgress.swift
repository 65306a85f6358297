/// How much of a version has come to the machine that fetches it.
public struct FetchProgress: Hashable, Sendable {
    /// Bytes that have come.
    public let done: UInt64
    /// Bytes that come in all.
    public let total: UInt64

    /// The most bytes that can come: the files of one version have at most as many. So each speed and time that follows fits into a number.
    public static let mostBytes: UInt64 = 64 << 30

    /// Nil if more has come than comes in all, or nothing comes, or more than a version has.
    public init?(done: UInt64, of total: UInt64) {
        guard done <= total, total > 0, total <= Self.mostBytes else { return nil }
        (self.done, self.total) = (done, total)
    }

    /// Whole percents; 100 only if all has come.
    public var percent: Int { Int(Double(done) / Double(total) * 100) }
}

/// Speed of a transfer, from what had come at two moments.
public struct FetchPace: Sendable {
    private let start: (progress: FetchProgress, time: ContinuousClock.Instant)
    private var latest: (progress: FetchProgress, time: ContinuousClock.Instant)

    /// - Parameters:
    ///   - progress: how much has come
    ///   - now: when
    public init(_ progress: FetchProgress, at now: ContinuousClock.Instant) {
        start = (progress, now)
        latest = start
    }

    /// How much has come.
    public var progress: FetchProgress { latest.progress }

    /// More has come. A transfer of another size starts over.
    public mutating func moved(to progress: FetchProgress, at now: ContinuousClock.Instant) {
        if progress.total == latest.progress.total, progress.done >= latest.progress.done {
            latest = (progress, now)
        } else {
            self = FetchPace(progress, at: now)
        }
    }

    /// Bytes in a second; nil before half a second has passed.
    public var bytesPerSecond: UInt64? {
        let elapsed = (latest.time - start.time) / .seconds(1)
        guard elapsed >= 0.5 else { return nil }
        return UInt64(Double(latest.progress.done - start.progress.done) / elapsed)
    }

    /// Seconds that are left at this speed; nil if it is not known.
    public var secondsLeft: Int? {
        guard let speed = bytesPerSecond, speed > 0 else { return nil }
        return Int((Double(progress.total - progress.done) / Double(speed)).rounded(.up))
    }
}
