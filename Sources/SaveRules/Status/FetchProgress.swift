/// The progress of a machine that fetches a version.
public struct FetchProgress: Hashable, Sendable {
    /// The bytes that have come.
    public let done: UInt64
    /// The bytes of the whole transfer.
    public let total: UInt64

    /// The largest number of bytes: the files of one version have at most as many. So all speeds and times fit into an
    /// `Int`.
    public static let mostBytes: UInt64 = 64 << 30

    /// Creates a progress; nil if more bytes have come than there are, if there are none, or if there are more than a
    /// version can have.
    public init?(done: UInt64, of total: UInt64) {
        guard done <= total, total > 0, total <= Self.mostBytes else { return nil }
        (self.done, self.total) = (done, total)
    }

    /// The whole percents; 100 only if all bytes have come.
    public var percent: Int { Int(Double(done) / Double(total) * 100) }
}

/// The speed of a transfer, from its progress at two times.
public struct FetchPace: Sendable {
    private let start: (progress: FetchProgress, time: ContinuousClock.Instant)
    private var latest: (progress: FetchProgress, time: ContinuousClock.Instant)

    /// - Parameters:
    ///   - progress: the progress
    ///   - now: the time of that progress
    public init(_ progress: FetchProgress, at now: ContinuousClock.Instant) {
        start = (progress, now)
        latest = start
    }

    /// The last progress.
    public var progress: FetchProgress { latest.progress }

    /// Notes progress. A transfer of another size starts over.
    public mutating func moved(to progress: FetchProgress, at now: ContinuousClock.Instant) {
        if progress.total == latest.progress.total, progress.done >= latest.progress.done {
            latest = (progress, now)
        } else {
            self = FetchPace(progress, at: now)
        }
    }

    /// The bytes in a second; nil before half a second has passed.
    public var bytesPerSecond: UInt64? {
        let elapsed = (latest.time - start.time) / .seconds(1)
        guard elapsed >= 0.5 else { return nil }
        return UInt64(Double(latest.progress.done - start.progress.done) / elapsed)
    }

    /// The remaining seconds at this speed; nil if the speed is not known.
    public var secondsLeft: Int? {
        guard let speed = bytesPerSecond, speed > 0 else { return nil }
        return Int((Double(progress.total - progress.done) / Double(speed)).rounded(.up))
    }
}
