import CLinux
import Glibc
import Synchronization

/// One thread that sleeps in `epoll_wait` and, when woken, runs the jobs of its actors, the handlers of ready
/// descriptors and the timers that are due.
///
/// It is a `SerialExecutor`: an actor whose `unownedExecutor` is a loop runs on that loop's thread, so that what a
/// handler does and what the actor does never overlap and need no hop between them. Async functions that belong to no
/// actor run there by way of ``taskExecutor``. While nothing happens it makes no call at all: there is no tick.
///
/// A loop ends when its last owner lets it go. Work that may block the thread for long belongs on a loop of its own (as
/// the calls into Avahi are) or on ``runBlocking(_:_:)``.
public final class EventLoop: SerialExecutor {
    /// The loop that the program's own work shares.
    public static let shared = EventLoop(named: "huddle")

    /// What readiness to wait for.
    public enum Interest: Sendable {
        /// There are bytes to read, a connection to accept, or the end has come.
        case readable
        /// There is room to write, or a connection attempt has ended.
        case writable
    }

    let driver: Driver
    let state = Mutex(State())
    let knownTaskExecutor = Mutex(KnownTaskExecutor())
    /// 0 until the thread has begun to run.
    private let thread = Atomic<pthread_t>(0)

    /// Starts the loop's thread. A program that begins can't go on without; later, ``init(ifPossible:)`` may fail.
    public convenience init(named name: String) {
        do throws(SystemError) {
            try self.init(ifPossible: name)
        } catch {
            preconditionFailure("an event loop needs a thread and three descriptors: \(error)")
        }
    }

    /// Starts the loop's thread, unless there are no more threads or descriptors to be had.
    public init(ifPossible name: String) throws(SystemError) {
        if let time = VirtualTime.current {
            driver = .virtual
            thread.store(pthread_self(), ordering: .relaxed)
            time.add(self)
        } else {
            let poll = try Poll()
            driver = .thread(poll)
            try spawn(name: name, poll)
        }
    }

    deinit {
        state.withLock { $0.isEnding = true }
        wake()
    }

    private func wake() {
        if case .thread(let poll) = driver { poll.wake() }
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool {
        thread.load(ordering: .relaxed) == pthread_self()
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
            if let job = item.job, job == state.runningJob, isCurrent {
                state.ownReturn = item
                return false
            }
            state.items.append(item)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { wake() }
    }

    private func spawn(name: String, _ poll: Poll) throws(SystemError) {
        let weakly = WeakLoop(self)
        try startThread(named: name) { @Sendable in
            weakly.loop?.thread.store(pthread_self(), ordering: .relaxed)
            // The loop is held only while there is work, so that it can end while its thread sleeps.
            while let patience = weakly.loop?.runBatch(poll) {
                poll.wait(patience)
            }
        }
    }
}

extension EventLoop {
    /// What runs the loop.
    enum Driver {
        /// A thread of its own, which waits here.
        case thread(Poll)
        /// ``VirtualTime/run(until:)``.
        case virtual
    }

    enum Item {
        case actorJob(UnownedJob)
        case taskJob(UnownedJob, LoopTaskExecutor)
        case work(@Sendable () -> Void)

        /// Which job it is; a task is the same job each time.
        var job: UInt? {
            switch self {
            case .actorJob(let job), .taskJob(let job, _):
                // because a job has no public identity, and this only compares where two of them are
                unsafeBitCast(job, to: UInt.self)
            case .work: nil
            }
        }
    }

    struct State {
        var items: [Item] = []
        /// What the loop puts in the place of the items when it takes them: memory, and nothing else.
        var spare: [Item]?
        var runningJob: UInt?
        /// What the running job queued of itself.
        var ownReturn: Item?
        var timers = TimerQueue<ContinuousClock.Instant, @Sendable () -> Void>()
        var armedDeadline: ContinuousClock.Instant?
        var watches: [UInt64: @Sendable (Readiness) -> Void] = [:]
        var lastWatch: UInt64 = 0
        /// How many pieces of work were done in virtual time.
        var turns: UInt64 = 0
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
