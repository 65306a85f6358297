/// How long a registration may take before it is begun anew: a few seconds, longer each time, and never quite as long as
/// somebody else's.
struct Patience: Equatable {
    private var backoff: Backoff

    /// - Parameter least: Avahi takes up to a second to find out that a name is free, and as long again for each that is
    ///   not
    init(least: Duration = .seconds(2.5)) {
        backoff = Backoff(first: least, longest: .seconds(60))
    }

    /// - Parameter jitter: chance, from 0 to 1
    mutating func next(jitter: Double) -> Duration {
        let wait = backoff.wait()
        return wait + wait * jitter
    }

    /// Begins anew, because what was waited for has come.
    mutating func reset() {
        backoff.reset()
    }
}
