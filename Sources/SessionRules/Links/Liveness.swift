/// The check that the other side of a link still answers. Silence leads to a ping, then to a suspicion, then to the
/// end. `docs/machines/liveness.md` has its table.
///
/// Read arrived bytes before you call ``check(at:)``: after the machine has slept or was very busy, both are due at
/// once.
public struct Liveness: Sendable {
    /// The time limits for silence.
    public struct Patience: Hashable, Sendable {
        /// The silence before a ping.
        public var ping: Duration
        /// The silence before the peer is suspected to be gone.
        public var suspect: Duration
        /// The silence before the peer is lost.
        public var lost: Duration
        /// The time for the answer to a ping while other bytes arrive. It is long, since much data may be queued before
        /// the answer. It must pass twice, because this machine may have slept meanwhile.
        public var answer: Duration

        /// The defaults are 3, 5 and 10 seconds, and a minute for answers.
        public init(
            ping: Duration = .seconds(3),
            suspect: Duration = .seconds(5),
            lost: Duration = .seconds(10),
            answer: Duration = .seconds(60)
        ) {
            precondition(
                .zero < ping && ping < suspect && suspect < lost,
                "the ping comes first, then the suspicion, then the end"
            )
            self.ping = ping
            self.suspect = suspect
            self.lost = lost
            self.answer = answer
        }
    }

    /// The state of the other side.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Bytes have arrived recently.
        case alive
        /// A ping was sent and is not answered yet.
        case asked
        /// It may be gone, which was reported.
        case suspect
        /// Over: it is gone.
        case lost
    }

    /// A step that the caller does. Several are done in order.
    public enum Action: Hashable, Sendable {
        /// Send Ping.
        case ping
        /// Report that the peer may be gone.
        case suspect
        /// Report that the peer answers again.
        case recovered
        /// Close the link as lost.
        case lost
    }

    /// The state of the other side.
    public private(set) var state = State.alive
    private let patience: Patience
    private var heard: ContinuousClock.Instant

    /// - Parameters:
    ///   - patience: the time limits for silence
    ///   - now: the time at which the link was established
    public init(patience: Patience = Patience(), at now: ContinuousClock.Instant) {
        self.patience = patience
        heard = now
    }

    /// The time at which ``check(at:)`` is due; nil once the peer is lost.
    public var deadline: ContinuousClock.Instant? {
        switch state {
        case .alive: heard + patience.ping
        case .asked: heard + patience.suspect
        case .suspect: heard + patience.lost
        case .lost: nil
        }
    }

    /// Handles bytes from the other side.
    public mutating func heard(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .alive, .asked:
            (state, heard) = (.alive, max(heard, now))
            return []
        case .suspect:
            (state, heard) = (.alive, max(heard, now))
            return [.recovered]
        case .lost: return []
        }
    }

    /// Handles the deadline. However late this is called, the peer is lost as soon as the silence is long enough.
    public mutating func check(at now: ContinuousClock.Instant) -> [Action] {
        guard state != .lost else { return [] }
        let silence = now - heard
        if silence >= patience.lost {
            state = .lost
            return [.lost]
        }
        var actions: [Action] = []
        if state == .alive, silence >= patience.ping {
            state = .asked
            actions.append(.ping)
        }
        if state == .asked, silence >= patience.suspect {
            state = .suspect
            actions.append(.suspect)
        }
        return actions
    }
}
