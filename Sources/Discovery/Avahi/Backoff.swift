/// How long to wait before the next attempt: little at first, twice as long each time, and not for ever.
struct Backoff: Equatable {
    let first: Duration
    let longest: Duration
    private var next: Duration

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
        next = first
    }

    /// The wait before the coming attempt.
    mutating func wait() -> Duration {
        defer { next = min(next * 2, longest) }
        return next
    }

    /// Begins anew, because something has changed or an attempt has succeeded.
    mutating func reset() {
        next = first
    }
}
