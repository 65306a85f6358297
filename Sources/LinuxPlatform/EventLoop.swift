import CLinux
import Glibc
import Synchronization

/// One thread that sleeps in `epoll_wait` and, when woken, runs the jobs of its actors, the handlers of ready
/// descriptors and the timers that are due.
///
/// It is a `SerialExecutor`: an actor whose `unownedExecutor` is a loop runs on that loop's thread, so that what a
/// handler does and what the actor does never overlap and need no hop between them. It is also a `TaskExecutor`, for
/// async functions that belong to no actor. While nothing happens it makes no call at all: there is no tick.
///
/// A loop ends when its last owner lets it go. Work that may block the thread for long belongs on a loop of its own (as
/// the calls into Avahi are) or on ``runBlocking(_:_:)``.
///
/// `@unchecked Sendable` because the compiler can't see that `thread` is written once, before any other thread knows
/// the loop; everything else is behind `state`.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// The loop that the program's own work shares.
    public static let shared = EventLoop(named: "huddle")

    /// What readiness to wait for.
    public enum Interest: Sendable {
        /// There are bytes to read, a connection to accept, or the end has come.
        case readable
        /// There is room to write, or a connection attempt has ended.
        case writable
    }

    let poll: Poll
    let state = Mutex(State())
    private let thread: Mutex<pthread_t?> = Mutex(nil)

    /// Starts the loop's thread.
    public init(named name: String) {
        poll = Poll()
        spawn(name: name)
    }

    deinit {
        state.withLock { $0.isEnding = true }
        poll.wake()
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool {
        thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Runs `work` on the loop's thread, after what is queued already.
    public func perform(_ work: @escaping @Sendable () -> Void) {
        add(.work(work))
    }

    /// Runs `work` on the loop's thread and gives its result.
    public func performing<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            perform { @Sendable in continuation.resume(returning: work()) }
        }
    }

    func add(_ item: Item) {
        let mustWake = state.withLock { state in
            state.items.append(item)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { poll.wake() }
    }

    private func spawn(name: String) {
        let poll = poll
        let weakly = WeakLoop(self)
        startThread(named: name) { @Sendable in
            weakly.loop?.thread.withLock { $0 = pthread_self() }
            // The loop is held only while there is work, so that it can end while its thread sleeps.
            while let patience = weakly.loop?.runBatch() {
                poll.wait(patience)
            }
        }
    }
}

extension EventLoop {
    enum Item {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }

    struct State {
        var items: [Item] = []
        var timers = TimerQueue<ContinuousClock.Instant, @Sendable () -> Void>()
        var armedDeadline: ContinuousClock.Instant?
        var watches: [UInt64: @Sendable (Readiness) -> Void] = [:]
        var lastWatch: UInt64 = 0
        var isAsleep = false
        var isEnding = false
    }

    private final class WeakLoop: Sendable {
        private let reference: Mutex<WeakReference>
        private struct WeakReference { weak var loop: EventLoop? }
        var loop: EventLoop? { reference.withLock { $0.loop } }
        init(_ loop: EventLoop) { reference = Mutex(WeakReference(loop: loop)) }
    }
}
