import LinuxPlatform

/// The open lookups of a ``BrowseEngine``, and the time at which the next ones may be opened.
struct OpenLookups {
    private(set) var plan: LookupPlan
    /// The time at which the lookups must be chosen again.
    private(set) var review: ContinuousClock.Instant?
    private(set) var pausedUntil = ContinuousClock.now
    private var operations: [Lookup: any DirectoryOperation] = [:]
    private var backoff = Backoff(first: .seconds(1), longest: .seconds(60))
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        plan = LookupPlan(capacity: capacity)
    }

    subscript(lookup: Lookup) -> (any DirectoryOperation)? { operations[lookup] }

    /// The open lookups.
    var all: [Lookup] { Array(operations.keys) }

    /// Chooses the lookups that should be open, the most urgent first.
    mutating func choose(
        from wanted: [WantedLookup],
        forgetting forgotten: Forgotten,
        isCrowd: Bool
    ) -> [Lookup] {
        plan.forget(forgotten)
        let choice = plan.choose(from: wanted, isCrowd: isCrowd, at: .now)
        review = choice.review
        return choice.ordered
    }

    mutating func opened(_ lookup: Lookup, as operation: any DirectoryOperation) {
        operations[lookup] = operation
        plan.opened(lookup, at: .now)
    }

    mutating func close(_ lookup: Lookup) {
        operations.removeValue(forKey: lookup)?.cancel()
        plan.closed(lookup)
    }

    mutating func closeAll() {
        for operation in operations.values { operation.cancel() }
        self = OpenLookups(capacity: capacity, backoff: backoff)
    }

    /// Opens no lookup for a while.
    mutating func pause(for pause: Duration) { pausedUntil = .now + pause }

    /// The pause after a refusal, longer each time until ``succeeded()``.
    mutating func pauseAfterRefusal() -> Duration { backoff.wait() }

    mutating func succeeded() { backoff.reset() }

    private init(capacity: Int, backoff: Backoff) {
        self.init(capacity: capacity)
        self.backoff = backoff
    }
}
