import LinuxPlatform

/// Keeps an operation running that needs Avahi: starts it, waits until it fails, and starts it again.
///
/// The wait between attempts grows. If the socket of Avahi or of the bus appears, the next attempt follows at once.
/// While Avahi works, no timer runs.
struct AvahiRetrier {
    let directory: any ServiceDirectory

    /// After an attempt that lasted longer than this, the wait starts small again.
    private static let steadyAfter: Duration = .seconds(5)

    /// The way in which an attempt ended.
    enum Ending {
        /// The attempt could not start.
        case neverBegan
        /// Avahi ended the running attempt.
        case broke
        /// The caller ended the attempt to start it again; nothing failed.
        case again
    }

    /// - Parameters:
    ///   - attempt: starts the operation and returns when it has ended
    ///   - tell: called once for each kind of absence of Avahi
    func keep(
        _ attempt: @Sendable () async -> Ending,
        whileAway tell: @Sendable (AvahiAbsence) async -> Void
    ) async {
        var backoff = Backoff(first: .milliseconds(20), longest: .seconds(30))
        var reported: AvahiAbsence?
        while !Task.isCancelled {
            // Created before the attempt: a socket that appears during the attempt is not missed.
            let arrival = try? ArrivalWatch(for: directory.startupPaths, on: .shared)
            let begun = ContinuousClock.now
            let ending = await attempt()
            guard !Task.isCancelled else { return }
            if ending != .neverBegan { reported = nil }
            if ending != .again {
                let absence = directory.absence()
                if reported != absence { await tell(absence) }
                reported = absence
            }
            if .now - begun > Self.steadyAfter { backoff.reset() }
            if await Self.hint(from: arrival, within: backoff.wait()) { backoff.reset() }
        }
    }

    /// Returns true if a socket appeared before the time was up.
    private static func hint(from arrival: ArrivalWatch?, within limit: Duration) async -> Bool {
        guard let arrival else {
            try? await EventLoop.shared.sleep(for: limit)
            return false
        }
        return await arrival.happened(within: limit)
    }
}
