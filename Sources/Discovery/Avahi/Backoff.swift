/// The wait before the next attempt. It starts at `first` and doubles up to `longest`.
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

    /// Starts with the shortest wait again, after a change or a success.
    mutating func reset() {
        next = first
    }
}
