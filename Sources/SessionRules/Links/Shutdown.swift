/// How the daemon stops: what is under way may finish for a while, then every peer is told, then everything is closed.
/// `docs/machines/shutdown.md` has its table.
public struct Shutdown: Sendable {
    /// How long each step may take.
    public struct Patience: Hashable, Sendable {
        /// For what is under way.
        public var drain: Duration
        /// For the last words.
        public var parting: Duration

        /// For all of it together.
        public var overall: Duration { drain + parting }

        /// 5 seconds and 1 second, if nothing else is said.
        public init(drain: Duration = .seconds(5), parting: Duration = .seconds(1)) {
            self.drain = drain
            self.parting = parting
        }
    }

    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Nobody has asked to stop.
        case running
        /// Nothing new begins; what is under way goes on.
        case draining
        /// Bye is on its way to every peer.
        case parting
        /// Over: everything is closed.
        case closed
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Take nothing new: no connections, no invitations, no transfers.
        case refuseNew
        /// Send Bye to every peer, and nothing after it.
        case sayBye
        /// Close all connections.
        case close
    }

    /// How far it has come.
    public private(set) var state = State.running
    /// When ``deadlinePassed(at:)`` is due; nil while running and when closed.
    public private(set) var deadline: ContinuousClock.Instant?
    private let patience: Patience

    /// - Parameter patience: how long each step may take
    public init(patience: Patience = Patience()) {
        self.patience = patience
    }

    /// Somebody asks to stop. Asking twice means at once.
    /// - Parameter isIdle: whether nothing is under way
    public mutating func begin(isIdle: Bool, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .running:
            guard !isIdle else { return [.refuseNew] + part(at: now) }
            state = .draining
            deadline = now + patience.drain
            return [.refuseNew]
        case .draining: return part(at: now)
        case .parting: return close()
        case .closed: return []
        }
    }

    /// Nothing is under way any more.
    public mutating func drained(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .draining: part(at: now)
        case .running, .parting, .closed: []
        }
    }

    /// Every Bye has left, as far as it could.
    public mutating func byesSent() -> [Action] {
        switch state {
        case .parting: close()
        case .closed: []
        case .running, .draining: preconditionFailure("nobody was told to say bye")
        }
    }

    /// Time is up.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        return state == .draining ? part(at: now) : close()
    }

    private mutating func part(at now: ContinuousClock.Instant) -> [Action] {
        state = .parting
        deadline = now + patience.parting
        return [.sayBye]
    }

    private mutating func close() -> [Action] {
        state = .closed
        deadline = nil
        return [.close]
    }
}
