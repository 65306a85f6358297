/// The shutdown of the daemon. Running work may finish within a limit, then every peer gets Bye, then all is closed.
/// `docs/machines/shutdown.md` has its table.
public struct Shutdown: Sendable {
    /// The time limits of the steps.
    public struct Patience: Hashable, Sendable {
        /// For running work.
        public var drain: Duration
        /// For Bye to every peer.
        public var parting: Duration

        /// For all of it together.
        public var overall: Duration { drain + parting }

        /// The defaults are 5 seconds and 1 second.
        public init(drain: Duration = .seconds(5), parting: Duration = .seconds(1)) {
            self.drain = drain
            self.parting = parting
        }
    }

    /// The step that it has reached.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// No request to stop has come.
        case running
        /// No new work begins, and running work continues.
        case draining
        /// Every peer gets Bye.
        case parting
        /// Over: everything is closed.
        case closed
    }

    /// A step that the caller does. Several are done in order.
    public enum Action: Hashable, Sendable {
        /// Refuse new connections, invitations and transfers.
        case refuseNew
        /// Send Bye to every peer as the last frame.
        case sayBye
        /// Close all connections.
        case close
    }

    /// The step that it has reached.
    public private(set) var state = State.running
    /// The time at which ``deadlinePassed(at:)`` is due; nil while running and when closed.
    public private(set) var deadline: ContinuousClock.Instant?
    private let patience: Patience

    /// - Parameter patience: the time limits of the steps
    public init(patience: Patience = Patience()) {
        self.patience = patience
    }

    /// Handles a request to stop. A second request ends the wait for running work.
    ///
    /// - Parameter isIdle: true if no work runs
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

    /// Handles the end of all running work.
    public mutating func drained(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .draining: part(at: now)
        case .running, .parting, .closed: []
        }
    }

    /// Handles that Bye was sent to all peers that could get it.
    public mutating func byesSent() -> [Action] {
        switch state {
        case .parting: close()
        case .closed: []
        case .running, .draining: preconditionFailure("Bye is sent only after the action for it")
        }
    }

    /// Handles the end of a time limit.
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
