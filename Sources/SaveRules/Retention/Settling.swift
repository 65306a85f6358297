/// The moment to read a folder that changes: it has been quiet for a while, and no program has a file of it open for writing.
/// The user hears of a folder that never settles. `docs/machines/settling.md` has its table.
public struct Settling: Sendable {
    /// How long to wait.
    public struct Patience: Hashable, Sendable {
        /// Without a change, until the folder is read.
        public var quiet: Duration
        /// The time from the first change until the user hears that the folder does not settle.
        public var unsettled: Duration

        /// 300 milliseconds and 30 seconds, if nothing else is said; a folder may settle twice before anybody complains.
        public init(quiet: Duration = .milliseconds(300), unsettled: Duration = .seconds(30)) {
            self.quiet = max(quiet, .zero)
            self.unsettled = max(unsettled, self.quiet * 2)
        }
    }

    /// The state.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Nothing has changed since it was read.
        case still
        /// It changed a moment ago.
        case stirring
        /// It is quiet; whether somebody has a file open is being looked at.
        case checking
        /// It is quiet, but somebody has a file open for writing. When that one closes it, the kernel tells.
        case occupied
        /// It is being read.
        case reading
        /// It changed while it was being read.
        case disturbed
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Find out whether somebody has a file open for writing; then call ``Settling/checked(isOccupied:)``.
        case check
        /// Read the folder; then call ``Settling/read()``.
        case read
        /// Tell that the folder has not settled for so long.
        case tellUnsettled(Duration)
        /// Tell that it has, after all.
        case tellSettled
    }

    /// The state.
    public private(set) var state = State.still
    private let patience: Patience
    private var began: ContinuousClock.Instant?
    private var changed: ContinuousClock.Instant?
    private var hasTold = false

    /// - Parameter patience: how long to wait
    public init(patience: Patience = Patience()) {
        self.patience = patience
    }

    /// When ``deadlinePassed(at:)`` is due; nil where there is nothing to wait for.
    public var deadline: ContinuousClock.Instant? {
        let complaint = mayTell ? began.map { $0 + patience.unsettled } : nil
        let quiet = state == .stirring ? changed.map { $0 + patience.quiet } : nil
        return [complaint, quiet].compactMap { $0 }.min()
    }

    /// A large folder takes long to read, whether a program writes or not. The user hears of it afterwards if it has not settled then.
    private var mayTell: Bool { !hasTold && state != .reading }

    /// Something in the folder changed, or a file that was written was closed.
    public mutating func changed(at now: ContinuousClock.Instant) -> [Action] {
        began = began ?? now
        changed = max(changed ?? now, now)
        switch state {
        case .still, .stirring, .checking, .occupied: state = .stirring
        case .reading, .disturbed: state = .disturbed
        }
        return []
    }

    /// A deadline has come.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        if state == .stirring, let changed, now >= changed + patience.quiet {
            state = .checking
            actions.append(.check)
        }
        if mayTell, let began, now >= began + patience.unsettled {
            hasTold = true
            actions.append(.tellUnsettled(now - began))
        }
        return actions
    }

    /// It was found out whether somebody has a file open for writing.
    public mutating func checked(isOccupied: Bool) -> [Action] {
        // Something changed meanwhile: the folder is looked at again when all is quiet.
        guard state == .checking else { return [] }
        state = isOccupied ? .occupied : .reading
        return isOccupied ? [] : [.read]
    }

    /// The folder was read, whole or not: where it changed meanwhile, it is read again when it has settled.
    public mutating func read() -> [Action] {
        precondition(state == .reading || state == .disturbed, "what was not begun is not over")
        guard state == .reading else {
            state = .stirring
            return []
        }
        (state, began, changed) = (.still, nil, nil)
        defer { hasTold = false }
        return hasTold ? [.tellSettled] : []
    }
}
