/// The impairment of a host's cable, the same in both directions.
public struct Impairment: Sendable, Hashable {
    /// The percentage of lost frames, each way.
    public var lossPercent: Double

    /// The delay of a frame, each way. A round trip takes twice as long.
    public var delay: Duration

    /// The maximum difference of a frame's delay from ``delay``, up or down.
    public var jitter: Duration

    /// Bits a second, each way; nil without a limit.
    public var bitsPerSecond: Int?

    /// True if a frame with little delay may overtake one with much.
    public var allowsReordering = false

    /// The seed of the random numbers. The same seed and the same frames give the same losses.
    public var seed: UInt64

    /// An impairment that loses, delays or throttles frames.
    public init(
        lossPercent: Double = 0,
        delay: Duration = .zero,
        jitter: Duration = .zero,
        bitsPerSecond: Int? = nil,
        seed: UInt64 = 1
    ) {
        precondition((0...100).contains(lossPercent), "loss is a percentage")
        precondition(delay >= .zero && jitter >= .zero, "a delay is never negative")
        precondition(bitsPerSecond.map { $0 > 0 } ?? true, "a rate is positive; to stop everything, isolate the host")
        self.lossPercent = lossPercent
        self.delay = delay
        self.jitter = jitter
        self.bitsPerSecond = bitsPerSecond
        self.seed = seed
    }

    /// The words for the relay's command line.
    var words: [String] {
        var words = ["--loss", "\(lossPercent)", "--delay", "\(Self.nanoseconds(delay))ns"]
        words += ["--jitter", "\(Self.nanoseconds(jitter))ns", "--seed", "\(seed)"]
        if let bitsPerSecond { words += ["--rate", "\(bitsPerSecond)bit"] }
        return allowsReordering ? words + ["--reorder"] : words
    }

    static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
