/// The attempts to restore a lost link, with growing waits and jitter, until a time limit. A hint that something has
/// changed makes the next attempt earlier. `docs/machines/reconnection.md` has its table.
public struct Reconnection: Sendable {
    /// The waits and the time limit.
    public struct Pace: Hashable, Sendable {
        /// The first wait; each further one is twice as long.
        public var first: Duration
        /// The longest wait.
        public var longest: Duration
        /// The time limit of all attempts, during which the membership stays.
        public var patience: Duration
        /// The least time from one attempt to the next, also with many hints.
        public var spacing: Duration

        /// The defaults are 0.1 and 10 seconds, 10 minutes, and 1 second.
        public init(
            first: Duration = .milliseconds(100),
            longest: Duration = .seconds(10),
            patience: Duration = .seconds(600),
            spacing: Duration = .seconds(1)
        ) {
            self.first = first
            self.longest = longest
            self.patience = patience
            self.spacing = spacing
        }
    }

    /// The present state.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The next attempt is scheduled.
        case waiting
        /// An attempt runs.
        case dialling
        /// The other side dials, and this one waits for it.
        case listening
        /// Over: there is a link again.
        case connected
        /// Over: the peer has left.
        case givenUp
    }

    /// A step that the caller does.
    public enum Action: Hashable, Sendable {
        /// Dial the peer, at all its addresses.
        case dial
        /// End the membership: the peer is lost.
        case giveUp
    }

    /// The present state.
    public private(set) var state: State
    private let pace: Pace
    private let end: ContinuousClock.Instant
    private var next: ContinuousClock.Instant
    private var lastAttempt: ContinuousClock.Instant?
    private var wait: Duration
    private var isHinted = false

    /// - Parameters:
    ///   - dials: true if this side dialled the link that was lost; the other side waits to be dialled
    ///   - pace: the waits and the time limit
    ///   - now: the time at which the link was lost
    ///   - generator: the source of the jitter; without it, machines that lost each other at the same time would dial
    ///     at the same time
    public init(
        dials: Bool,
        pace: Pace = Pace(),
        at now: ContinuousClock.Instant,
        using generator: inout some RandomNumberGenerator
    ) {
        self.pace = pace
        state = dials ? .waiting : .listening
        end = now + pace.patience
        wait = pace.first
        next = now
        next = now + jittered(using: &generator)
    }

    /// The time at which ``deadlinePassed(at:)`` is due; nil once it is over.
    public var deadline: ContinuousClock.Instant? {
        switch state {
        case .waiting: min(next, end)
        case .dialling, .listening: end
        case .connected, .givenUp: nil
        }
    }

    /// Handles the end of a wait, or of the time limit.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .waiting, .dialling, .listening:
            if end <= now {
                state = .givenUp
                return [.giveUp]
            }
            guard state == .waiting, next <= now else { return [] }
            return dial(at: now)
        case .connected, .givenUp: return []
        }
    }

    /// Handles a failed attempt.
    public mutating func attemptFailed(
        at now: ContinuousClock.Instant,
        using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        switch state {
        case .dialling:
            state = .waiting
            if isHinted {
                isHinted = false
                next = max(now, earliest)
            } else {
                next = now + jittered(using: &generator)
            }
            return []
        case .givenUp, .connected: return []
        case .waiting, .listening: preconditionFailure("only an attempt can fail")
        }
    }

    /// Makes the next attempt earlier, because the network has changed or the peer was found again. The waits after it
    /// stay as long as without a hint. Otherwise many hints would cause as many attempts.
    public mutating func hinted(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .waiting:
            next = min(next, max(now, earliest))
            return next <= now && now < end ? dial(at: now) : []
        case .dialling:
            isHinted = true
            return []
        case .listening, .connected, .givenUp: return []
        }
    }

    /// Handles a new link, whichever side has dialled it.
    public mutating func linkCameUp() -> [Action] {
        switch state {
        case .waiting, .dialling, .listening: state = .connected
        case .connected, .givenUp: break
        }
        return []
    }

    private var earliest: ContinuousClock.Instant {
        guard let lastAttempt else { return next - pace.longest }
        return lastAttempt + pace.spacing
    }

    private mutating func dial(at now: ContinuousClock.Instant) -> [Action] {
        state = .dialling
        lastAttempt = now
        return [.dial]
    }

    /// The wait, of which one half is fixed and the other half random.
    private mutating func jittered(using generator: inout some RandomNumberGenerator) -> Duration {
        defer { wait = min(wait * 2, pace.longest) }
        return wait / 2 + wait / 2 * Double.random(in: 0...1, using: &generator)
    }
}
