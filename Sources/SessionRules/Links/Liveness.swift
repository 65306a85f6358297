/// Whether the other side of a link is still there: silence leads to a question, then to a suspicion, then to the end.
/// `docs/machines/liveness.md` has its table.
///
/// Read what has arrived before you call ``check(at:)``: after the machine has slept, or was starved, both are due at once.
public struct Liveness: Sendable {
    /// How long the other side may be silent.
    public struct Patience: Hashable, Sendable {
        /// Until it is asked.
        public var ping: Duration
        /// Until it is suspected to be gone.
        public var suspect: Duration
        /// Until it is given up.
        public var lost: Duration
        /// How long it may leave a question unanswered while it is heard otherwise. What was sent before may be much, so this is long; and it
        /// has to pass twice, because this machine may have slept meanwhile.
        public var answer: Duration

        /// 3, 5 and 10 seconds, and a minute for answers, if nothing else is said.
        public init(
            ping: Duration = .seconds(3),
            suspect: Duration = .seconds(5),
            lost: Duration = .seconds(10),
            answer: Duration = .seconds(60)
        ) {
            precondition(
                .zero < ping && ping < suspect && suspect < lost,
                "first a question, then a doubt, then the end"
            )
            self.ping = ping
            self.suspect = suspect
            self.lost = lost
            self.answer = answer
        }
    }

    /// What is thought of the other side.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// It was heard a moment ago.
        case alive
        /// It was asked and has not answered yet.
        case asked
        /// It may be gone; its users are told.
        case suspect
        /// Over: it is gone.
        case lost
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Send Ping.
        case ping
        /// Tell that the peer may be gone.
        case suspect
        /// Tell that it is there after all.
        case recovered
        /// Close the link as lost.
        case lost
    }

    /// What is thought of the other side.
    public private(set) var state = State.alive
    private let patience: Patience
    private var heard: ContinuousClock.Instant

    /// - Parameters:
    ///   - patience: how long the other side may be silent
    ///   - now: when the link was established
    public init(patience: Patience = Patience(), at now: ContinuousClock.Instant) {
        self.patience = patience
        heard = now
    }

    /// When ``check(at:)`` is due; nil once the peer is lost.
    public var deadline: ContinuousClock.Instant? {
        switch state {
        case .alive: heard + patience.ping
        case .asked: heard + patience.suspect
        case .suspect: heard + patience.lost
        case .lost: nil
        }
    }

    /// Any byte came from the other side.
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

    /// A deadline has come. However late this is called, the peer is lost as soon as the silence is long enough.
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
