import LinuxPlatform

/// Keeps something going that needs Avahi: begins it, waits until it breaks, and begins it again.
///
/// Between attempts it waits longer and longer, but not when Avahi's socket or the bus's comes into being: then it tries
/// at once. While Avahi works there is nothing to do and nothing ticks.
struct AvahiVigil {
    let directory: any ServiceDirectory

    /// After this long without a break, the next one counts as the first.
    private static let steadyAfter: Duration = .seconds(5)

    /// How an attempt ended.
    enum Ending {
        /// It could not begin.
        case neverBegan
        /// It had begun, and Avahi broke it off.
        case broke
        /// It was given up to be begun anew, with nothing amiss.
        case again
    }

    /// - Parameters:
    ///   - attempt: begins, and returns when it has ended
    ///   - tell: told once when Avahi turns out to be away
    func keep(
        _ attempt: @Sendable () async -> Ending,
        whileAway tell: @Sendable (AvahiAbsence) async -> Void
    ) async {
        var backoff = Backoff(first: .milliseconds(20), longest: .seconds(30))
        var told: AvahiAbsence?
        while !Task.isCancelled {
            // Made before the attempt, so that whatever comes into being from now on is noticed.
            let arrival = try? ArrivalWatch(for: directory.signsOfLife, on: .shared)
            let begun = ContinuousClock.now
            let ending = await attempt()
            guard !Task.isCancelled else { return }
            if ending != .neverBegan { told = nil }
            if ending != .again {
                let absence = directory.absence()
                if told != absence { await tell(absence) }
                told = absence
            }
            if .now - begun > Self.steadyAfter { backoff.reset() }
            if await Self.hint(from: arrival, within: backoff.wait()) { backoff.reset() }
        }
    }

    /// Answers whether something happened before the time was up.
    private static func hint(from arrival: ArrivalWatch?, within limit: Duration) async -> Bool {
        guard let arrival else {
            try? await EventLoop.shared.sleep(for: limit)
            return false
        }
        return await arrival.happened(within: limit)
    }
}
