/// What repeating costs, such as wrong codes: the first few times nothing, then waits that grow. It is kept as two numbers. Time is seconds
/// since 1970 where it outlives a restart.
public struct LockOut: Hashable, Sendable {
    /// How patient it is.
    public struct Rule: Hashable, Sendable {
        /// How many times cost nothing.
        public var free: Int64
        /// The first wait in seconds; each further one is twice as long.
        public var first: Int64
        /// The longest wait in seconds.
        public var longest: Int64
        /// After how many seconds of peace all is forgotten.
        public var memory: Int64

        /// For one key: 3 free, then 30 seconds to an hour, forgotten after a day.
        public static let perKey = Rule(free: 3, first: 30, longest: 3600, memory: 86_400)
        /// For all keys together: more are free, so that one nuisance does not lock everybody else out.
        public static let overall = Rule(free: 10, first: 30, longest: 3600, memory: 86_400)

        /// Takes the four as they are.
        public init(free: Int64, first: Int64, longest: Int64, memory: Int64) {
            self.free = free
            self.first = first
            self.longest = longest
            self.memory = memory
        }
    }

    /// How often it happened.
    public private(set) var count: Int64
    /// Until when it has to wait. While it costs nothing, when it happened last.
    public private(set) var until: Int64
    private let rule: Rule

    /// Nothing was wrong yet, or what was kept.
    public init(_ rule: Rule, count: Int64 = 0, until: Int64 = 0) {
        self.rule = rule
        // What was kept may be damaged; it must not be able to stop the daemon.
        self.count = min(max(0, count), 1_000_000)
        self.until = max(0, until)
    }

    /// How many seconds there are to wait; 0 where it may happen. A clock that was set back makes nobody wait longer
    /// than the wait was.
    public func secondsLeft(at now: Int64) -> Int64 {
        min(wait, max(0, until - max(0, now)))
    }

    /// It happened once more, such as a wrong code.
    public mutating func count(at now: Int64) {
        if isForgotten(at: now) { count = 0 }
        count = min(count + 1, 1_000_000)
        until = max(0, now) + wait
    }

    /// It is over, such as by the right code.
    public mutating func forget() {
        count = 0
        until = 0
    }

    /// Whether it need not be kept any more.
    public func isForgotten(at now: Int64) -> Bool {
        count == 0 || now - until >= rule.memory
    }

    private var wait: Int64 {
        guard count > rule.free else { return 0 }
        let doublings = min(count - rule.free - 1, 32)
        return min(rule.longest, rule.first << doublings)
    }
}
