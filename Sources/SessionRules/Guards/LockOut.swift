/// Growing waits after repeated events, such as wrong codes. The first few have no wait. The state is two numbers; if
/// it is stored across restarts, times are seconds since 1970.
public struct LockOut: Hashable, Sendable {
    /// The lengths of the waits.
    public struct Rule: Hashable, Sendable {
        /// The number of events without a wait.
        public var free: Int64
        /// The first wait in seconds; each further one is twice as long.
        public var first: Int64
        /// The longest wait in seconds.
        public var longest: Int64
        /// The seconds without an event after which the count begins again.
        public var memory: Int64

        /// For one key: 3 free, then 30 seconds to an hour, forgotten after a day.
        public static let perKey = Rule(free: 3, first: 30, longest: 3600, memory: 86_400)
        /// For all keys together. More events have no wait, so that one machine does not lock out all others.
        public static let overall = Rule(free: 10, first: 30, longest: 3600, memory: 86_400)

        /// A rule with these values.
        public init(free: Int64, first: Int64, longest: Int64, memory: Int64) {
            self.free = free
            self.first = first
            self.longest = longest
            self.memory = memory
        }
    }

    /// The number of events.
    public private(set) var count: Int64
    /// The end of the wait; without a wait the time of the last event.
    public private(set) var until: Int64
    private let rule: Rule

    /// A lock-out without events, or with a stored state.
    public init(_ rule: Rule, count: Int64 = 0, until: Int64 = 0) {
        self.rule = rule
        // A stored state may be damaged, and must not stop the daemon.
        self.count = min(max(0, count), 1_000_000)
        self.until = max(0, until)
    }

    /// The seconds left to wait; 0 if there is no wait. A clock that was set back never makes the wait longer.
    public func secondsLeft(at now: Int64) -> Int64 {
        min(wait, max(0, until - max(0, now)))
    }

    /// Counts an event, such as a wrong code.
    public mutating func count(at now: Int64) {
        if isForgotten(at: now) { count = 0 }
        count = min(count + 1, 1_000_000)
        until = max(0, now) + wait
    }

    /// Begins the count again, as after the right code.
    public mutating func forget() {
        count = 0
        until = 0
    }

    /// Returns true if the state no longer needs to be stored.
    public func isForgotten(at now: Int64) -> Bool {
        count == 0 || now - until >= rule.memory
    }

    private var wait: Int64 {
        guard count > rule.free else { return 0 }
        let doublings = min(count - rule.free - 1, 32)
        return min(rule.longest, rule.first << doublings)
    }
}
