import LinuxPlatform
import Synchronization
import Transport
import Wire

/// The frames that wait to be sent over a link. Any thread may add some; they are sent in the order in which they were
/// added.
///
/// On the loop's thread they are sent as soon as the loop comes to it, together with all that are added until then. On
/// any other thread they are sent before the call returns, because waking the loop would take longer than sending. If
/// such frames follow each other closely, the loop sends them together, which costs less for each.
final class LinkOutbox: Sendable {
    /// The limit for a peer in no session, which gets few frames. If more wait, or more than a member has room for, the
    /// peer does not read.
    private static let strangerLimit = 256 << 10
    /// The bytes that may wait for a moment without an account: for a member, and for any other peer.
    private static let (free, strangersFree) = (64 << 10, 16 << 10)
    /// The time after a frame that another thread has sent itself. Frames that are added within it wait for the loop.
    /// An answer is never that quick.
    private static let burst = Duration.microseconds(20)
    /// The memory that an idle link keeps.
    private static let keptCount = 4 << 10

    private let channel: SecureChannel
    private let state: Mutex<State>
    private let failed: @Sendable () -> Void

    private struct State: ~Copyable {
        var bytes: [UInt8] = []
        /// The bytes that the writing task has taken and not sent.
        var takenCount = 0
        var limit = LinkOutbox.strangerLimit
        var holding: Holding
        /// True if the channel has taken bytes that are not sent yet.
        var isUnsent = false
        /// True if the loop is about to send the waiting frames.
        var isFlushExpected = false
        /// Set while the writing task is idle. Only then may other threads send.
        var idle: Resumption<Void>?
        /// The last time at which a thread other than the loop's has sent frames itself.
        var sentElsewhere: ContinuousClock.Instant?
        var isClosed = false

        init(of allowance: Allowance) {
            holding = Holding(of: allowance, free: LinkOutbox.strangersFree)
        }

        /// Returns true if there is room for the waiting frames.
        mutating func account() -> Bool { bytes.count <= limit && holding.hold(bytes.count + takenCount) }
    }

    /// The work outside the lock.
    private enum Consequence {
        case nothing
        case flushSoon
        case wake(Resumption<Void>?)
        case fail
    }

    /// The next work of the writing task.
    enum Work {
        case send([UInt8])
        case wait(Resumption<Void>)
    }

    /// - Parameters:
    ///   - allowance: the account of all peers that are in no session
    ///   - failed: called on any thread when the channel is broken, or the peer does not read
    init(_ channel: SecureChannel, of allowance: Allowance, failed: @escaping @Sendable () -> Void) {
        self.channel = channel
        state = Mutex(State(of: allowance))
        self.failed = failed
    }

    /// True while the writing task is busy.
    var isAtWork: Bool { state.withLock { $0.idle == nil } }

    /// The number of bytes that wait.
    var waitingByteCount: Int { state.withLock { $0.bytes.count } }

    var isEmpty: Bool { state.withLock { $0.bytes.isEmpty && !$0.isUnsent } }

    /// Makes room for a session, which can have much data on its way.
    func grow(into allowance: Allowance) {
        state.withLock { state in
            state.holding = Holding(of: allowance, free: Self.free)
            state.limit = .max
        }
    }

    /// Adds frames to those that wait.
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
                // A busy writing task finds them by itself.
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

    /// Takes no further frames. The waiting ones are still sent, as long as the writing task runs.
    func close() {
        perform(
            state.withLock { state in
                state.isClosed = true
                return .wake(state.idle.take())
            }
        )
    }

    /// The next work of the writing task, which is busy until it gets `wait`.
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

    /// Sends without waking a task, as long as the kernel has room.
    private func flush(_ state: inout State) -> Consequence {
        guard state.idle != nil, !state.bytes.isEmpty else { return .nothing }
        do {
            let (taken, hasGone) = try state.bytes.withUnsafeBytes { try channel.sendAtOnce($0) }
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
