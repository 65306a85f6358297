import LinuxPlatform

/// The numbered pings of a link that wait for their answers. The pings of the heartbeat have no number.
@Engine
struct PingTracker {
    /// The time after which a ping without an answer ends the link, unless frames still move.
    let patience: Duration
    var timer: ScheduledTimer?
    /// The number of times at which the channel took waiting frames.
    var sendings = 0
    private var waiting: [UInt64: @Engine () -> Void] = [:]
    private(set) var last: UInt64 = 0

    init(patience: Duration) { self.patience = patience }

    var isEmpty: Bool { waiting.isEmpty }

    /// Returns the number of the next ping.
    mutating func add(_ answered: @escaping @Engine () -> Void) -> UInt64 {
        last += 1
        waiting[last] = answered
        return last
    }

    mutating func remove(_ ping: UInt64) -> (@Engine () -> Void)? { waiting.removeValue(forKey: ping) }

    /// True if all pings up to this one have their answers.
    func areAnswered(upTo ping: UInt64) -> Bool { !waiting.keys.contains { $0 <= ping } }
}
