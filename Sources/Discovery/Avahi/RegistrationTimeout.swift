/// Timeout after which a registration is started again: 2.5 s at first, then twice as long each time, with random
/// jitter so that two machines never wait equally long.
struct RegistrationTimeout: Equatable {
    private var backoff: Backoff

    /// - Parameter least: Avahi needs up to a second to find that a name is free, and another second for each name that
    ///   is taken
    init(least: Duration = .seconds(2.5)) {
        backoff = Backoff(first: least, longest: .seconds(60))
    }

    /// - Parameter jitter: random number from 0 to 1
    mutating func next(jitter: Double) -> Duration {
        let wait = backoff.wait()
        return wait + wait * jitter
    }

    /// Starts with the shortest wait again after a success.
    mutating func reset() {
        backoff.reset()
    }
}
