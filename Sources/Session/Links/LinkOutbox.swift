import LinuxPlatform
import Synchronization
import Transport
import Wire

/// What waits to go over a link. Any thread may put frames in; they go in the order in which they came.
///
/// On the loop's thread they leave as soon as the loop comes to it, together with whatever else is put in until then. On any
/// other they leave before the call returns, for to wake the loop would take longer than to send them; unless they come one
/// right behind the other: then they leave together, by way of the loop, which costs less for each.
final class LinkOutbox: Sendable {
    /// Who is in no session is told little. Where more waits, or more than a member has room for, nobody reads over there.
    private static let strangerLimit = 256 << 10
    /// What waits on the link of a member for a moment, and on that of anybody else.
    private static let (free, strangersFree) = (64 << 10, 16 << 10)
    /// What comes so soon behind what another thread has sent itself waits for the loop. An answer never comes that soon.
    private static let burst = Duration.microseconds(20)
    /// What an idle link keeps of its memory.
    private static let keptCount = 4 << 10

    private let lane: Lane
    private let state: Mutex<State>
    private let failed: @Sendable () -> Void

    private struct State: ~Copyable {
        var bytes: [UInt8] = []
        /// How many bytes the writing task has taken and not sent.
        var takenCount = 0
        var limit = LinkOutbox.strangerLimit
        var holding: Holding
        /// Whether something that the lane has taken has not gone yet.
        var isUnsent = false
        /// Whether the loop will look at what waits.
        var isFlushExpected = false
        /// While the writing task has nothing to do. Only then anybody else may send.
        var idle: Resumption<Void>?
        /// When a thread other than the loop's has last sent something itself.
        var sentElsewhere: ContinuousClock.Instant?
        var isClosed = false

        init(of allowance: Allowance) {
            holding = Holding(of: allowance, free: LinkOutbox.strangersFree)
        }

        /// Whether there is room for what waits.
        mutating func account() -> Bool { bytes.count <= limit && holding.hold(bytes.count + takenCount) }
    }

    /// What is to be done outside the lock.
    private enum Consequence {
        case nothing
        case flushSoon
        case wake(Resumption<Void>?)
        case fail
    }

    /// What the writing task does next.
    enum Work {
        case send([UInt8])
        case wait(Resumption<Void>)
    }

    /// - Parameters:
    ///   - allowance: what is for all strangers
    ///   - failed: told on any thread that nothing goes over the lane any more, or nobody reads at its other end
    init(_ lane: Lane, of allowance: Allowance, failed: @escaping @Sendable () -> Void) {
        self.lane = lane
        state = Mutex(State(of: allowance))
        self.failed = failed
    }

    /// Whether the writing task has something to do.
    var isAtWork: Bool { state.withLock { $0.idle == nil } }

    /// How much waits to be sent.
    var waitingByteCount: Int { state.withLock { $0.bytes.count } }

    /// Whether nothing waits.
    var isEmpty: Bool { state.withLock { $0.bytes.isEmpty && !$0.isUnsent } }

    /// The peer is in a session from now on, and what is on its way in that may be much.
    func grow(into allowance: Allowance) {
        state.withLock { state in
            state.holding = Holding(of: allowance, free: Self.free)
            state.limit = .max
        }
    }

    /// Puts frames behind those that wait.
    func put(_ frames: some Sequence<ControlFrame>) {
        let isOnLoop = Engine.loop.isCurrent
        perform(
            state.withLock { state in
                guard !state.isClosed else { return .nothing }
                for frame in frames { frame.encode(into: &state.bytes) }
                guard state.account() else {
                    state.isClosed = true
                    return .fail
                }
                // A writer that is at work comes to it by itself.
                guard state.idle != nil else { return .nothing }
                guard isOnLoop || isBurst(&state) else { return flush(&state) }
                guard !state.isFlushExpected else { return .nothing }
                state.isFlushExpected = true
                return .flushSoon
            }
        )
    }

    private func isBurst(_ state: inout State) -> Bool {
        let (now, last) = (ContinuousClock.now, state.sentElsewhere)
        state.sentElsewhere = now
        return last.map { now - $0 < Self.burst } ?? false
    }

    /// Takes nothing more. What waits still goes, if the writing task is let.
    func close() {
        perform(
            state.withLock { state in
                state.isClosed = true
                return .wake(state.idle.take())
            }
        )
    }

    /// For the writing task, which is at work until it is told to wait.
    func next() -> Work {
        state.withLock { state in
            state.takenCount = 0
            guard state.bytes.isEmpty, !state.isUnsent else {
                state.isUnsent = false
                state.takenCount = state.bytes.count
                defer { state.bytes = [] }
                return .send(state.bytes)
            }
            _ = state.account()
            let idle = Resumption<Void>()
            state.idle = idle
            return .wait(idle)
        }
    }

    private func perform(_ consequence: Consequence) {
        switch consequence {
        case .nothing: break
        case .flushSoon: Engine.loop.perform { @Sendable in self.flush() }
        case .wake(let writer): writer?.resume(with: .success(()))
        case .fail: failed()
        }
    }

    private func flush() {
        perform(
            state.withLock { state in
                state.isFlushExpected = false
                return flush(&state)
            }
        )
    }

    /// As long as the kernel has room, no task need be woken.
    private func flush(_ state: inout State) -> Consequence {
        guard state.idle != nil, !state.bytes.isEmpty else { return .nothing }
        do {
            let (taken, hasGone) = try state.bytes.withUnsafeBytes { try lane.sendAtOnce($0) }
            if taken == state.bytes.count {
                state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= Self.keptCount)
            } else {
                state.bytes.removeFirst(taken)
            }
            _ = state.account()
            guard !hasGone else { return .nothing }
            state.isUnsent = true
            return .wake(state.idle.take())
        } catch {
            state.isClosed = true
            return .fail
        }
    }
}
