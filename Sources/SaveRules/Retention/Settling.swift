/// The decision when to scan a folder that changes: after a quiet period in which no program has a file of it open for
/// writing. The user hears of a folder that never becomes quiet. `docs/machines/settling.md` has its table.
public struct Settling: Sendable {
    /// The waiting times.
    public struct Patience: Hashable, Sendable {
        /// The quiet period: the time without a change after which the folder is scanned.
        public var quiet: Duration
        /// The time from the first change until the user hears that the folder does not become quiet.
        public var unsettled: Duration

        /// By default: 300 milliseconds and 30 seconds. The second is at least twice the first, so that two quiet
        /// periods fit before the user hears of it.
        public init(quiet: Duration = .milliseconds(300), unsettled: Duration = .seconds(30)) {
            self.quiet = max(quiet, .zero)
            self.unsettled = max(unsettled, self.quiet * 2)
        }
    }

    /// The states of a folder.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Nothing has changed since the last scan.
        case still
        /// A file changed a moment ago.
        case stirring
        /// The folder is quiet; the caller finds out if a program has a file open.
        case checking
        /// The folder is quiet, but a program has a file open for writing. The kernel reports when the program closes
        /// it.
        case occupied
        /// A scan runs.
        case reading
        /// A file changed during the scan.
        case disturbed
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Find out if a program has a file open for writing; then call ``Settling/checked(isOccupied:)``.
        case check
        /// Scan the folder; then call ``Settling/read()``.
        case read
        /// Tell the user that the folder has not become quiet for so long.
        case tellUnsettled(Duration)
        /// Tell the user that the folder is quiet after all.
        case tellSettled
    }

    /// The state of the folder.
    public private(set) var state = State.still
    private let patience: Patience
    private var began: ContinuousClock.Instant?
    private var changed: ContinuousClock.Instant?
    private var hasReported = false

    /// - Parameter patience: the waiting times
    public init(patience: Patience = Patience()) {
        self.patience = patience
    }

    /// The time at which ``deadlinePassed(at:)`` is due; nil if nothing is waited for.
    public var deadline: ContinuousClock.Instant? {
        let complaint = mayTell ? began.map { $0 + patience.unsettled } : nil
        let quiet = state == .stirring ? changed.map { $0 + patience.quiet } : nil
        return [complaint, quiet].compactMap { $0 }.min()
    }

    /// True if the user may hear that the folder does not become quiet. Not during a scan: that of a large folder takes
    /// long even if no program writes. The user hears of it afterwards.
    private var mayTell: Bool { !hasReported && state != .reading }

    /// A file in the folder changed, or a program closed a file after writing.
    public mutating func changed(at now: ContinuousClock.Instant) -> [Action] {
        began = began ?? now
        changed = max(changed ?? now, now)
        switch state {
        case .still, .stirring, .checking, .occupied: state = .stirring
        case .reading, .disturbed: state = .disturbed
        }
        return []
    }

    /// The time of ``deadline`` has passed.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        if state == .stirring, let changed, now >= changed + patience.quiet {
            state = .checking
            actions.append(.check)
        }
        if mayTell, let began, now >= began + patience.unsettled {
            hasReported = true
            actions.append(.tellUnsettled(now - began))
        }
        return actions
    }

    /// The caller has found out if a program has a file open for writing.
    public mutating func checked(isOccupied: Bool) -> [Action] {
        // A file changed meanwhile: the caller finds out again after the next quiet period.
        guard state == .checking else { return [] }
        state = isOccupied ? .occupied : .reading
        return isOccupied ? [] : [.read]
    }

    /// A scan has ended, complete or not. If a file changed during it, another scan follows after the next quiet
    /// period.
    public mutating func read() -> [Action] {
        precondition(state == .reading || state == .disturbed, "what was not begun is not over")
        guard state == .reading else {
            state = .stirring
            return []
        }
        (state, began, changed) = (.still, nil, nil)
        defer { hasReported = false }
        return hasReported ? [.tellSettled] : []
    }
}
