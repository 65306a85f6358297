/// How a lost link comes back: attempts with growing, jittered waits, until it is given up. A hint that something has
/// changed brings the next attempt forward, however many hints there are. `docs/machines/reconnection.md` has its table.
public struct Reconnection: Sendable {
    /// How often and how long it is tried.
    public struct Pace: Hashable, Sendable {
        /// The first wait; each further one is twice as long.
        public var first: Duration
        /// The longest wait.
        public var longest: Duration
        /// How long it is tried, and membership kept.
        public var patience: Duration
        /// The least time from one attempt to the next, however much hints press.
        public var spacing: Duration

        /// 0.1 and 10 seconds, 10 minutes, 1 second, if nothing else is said.
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

    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The next attempt has its time.
        case waiting
        /// An attempt is under way.
        case dialling
        /// The other side dials; this one waits for it.
        case listening
        /// Over: there is a link again.
        case connected
        /// Over: the peer has left.
        case givenUp
    }

    /// What the caller does.
    public enum Action: Hashable, Sendable {
        /// Dial the peer, at all its addresses.
        case dial
        /// Membership ends; the peer is lost.
        case giveUp
    }

    /// Where it stands.
    public private(set) var state: State
    private let pace: Pace
    private let end: ContinuousClock.Instant
    private var next: ContinuousClock.Instant
    private var lastAttempt: ContinuousClock.Instant?
    private var wait: Duration
    private var isHinted = false

    /// - Parameters:
    ///   - dials: whether this side dialled the link that was lost; the other side waits to be dialled
    ///   - pace: how often and how long
    ///   - now: when the link was lost
    ///   - generator: of the jitter, so that machines that lost each other together don't all come back together
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

    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public var deadline: ContinuousClock.Instant? {
        switch state {
        case .waiting: min(next, end)
        case .dialling, .listening: end
        case .connected, .givenUp: nil
        }
    }

    /// Time is up: for the wait, or for all of it.
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

    /// The attempt came to nothing.
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

    /// The network has changed, or the peer was found again: now is a better moment than later. The waits after it are no
    /// shorter than without it, or a storm of hints would be one of attempts.
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

    /// There is a link, whoever dialled it.
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

    /// Half of the wait is certain, the other half is chance.
    private mutating func jittered(using generator: inout some RandomNumberGenerator) -> Duration {
        defer { wait = min(wait * 2, pace.longest) }
        return wait / 2 + wait / 2 * Double.random(in: 0...1, using: &generator)
    }
}
