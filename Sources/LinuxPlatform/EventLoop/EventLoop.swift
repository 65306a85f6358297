import CLinux
import Glibc
import Synchronization

/// One thread that sleeps in `epoll_wait` and, when woken, runs the jobs of its actors, the handlers of ready
/// descriptors and the timers that are due.
///
/// It is a `SerialExecutor`: an actor whose `unownedExecutor` is a loop runs on that loop's thread. So a handler and
/// the actor never overlap and need no hop between them. Async functions that belong to no actor run there through
/// ``taskExecutor``. While nothing happens the loop makes no call at all: there is no tick.
///
/// A loop ends when its last owner releases it. Work that may block the thread for long belongs on a loop of its own
/// (as the calls into Avahi are) or on ``runBlocking(_:_:)``.
public final class EventLoop: SerialExecutor {
    /// The loop for the program's own work.
    public static let shared = EventLoop(named: "huddle")

    /// The readiness to wait for.
    public enum Interest: Sendable {
        /// There are bytes to read, a connection to accept, or the end of the input.
        case readable
        /// There is room to write, or a connection attempt has ended.
        case writable
    }

    let driver: Driver
    let state = Mutex(State())
    let knownTaskExecutor = Mutex(KnownTaskExecutor())
    /// 0 until the thread has begun to run.
    private let thread = Atomic<pthread_t>(0)

    /// Starts the loop's thread. A starting program can't continue without it; later, use ``init(ifPossible:)``, which
    /// may fail.
    public convenience init(named name: String) {
        do throws(SystemError) {
            try self.init(ifPossible: name)
        } catch {
            preconditionFailure("an event loop needs a thread and three descriptors: \(error)")
        }
    }

    /// Starts the loop's thread. Throws if there are no threads or descriptors left.
    public init(ifPossible name: String) throws(SystemError) {
        if let time = VirtualTime.current {
            driver = .virtual(time)
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
        switch driver {
        case .thread(let poll): poll.wake()
        case .virtual(let time): time.remove(ObjectIdentifier(self))
        }
    }

    /// Tells if the caller runs on the loop's thread.
    public var isCurrent: Bool {
        thread.load(ordering: .relaxed) == pthread_self()
    }

    /// Runs `work` on the loop's thread, after the work that is already queued.
    public func perform(_ work: @escaping @Sendable () -> Void) {
        add(.work(work))
    }

    /// Runs `work` on the loop's thread and returns its result.
    public func performing<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            perform { @Sendable in continuation.resume(returning: work()) }
        }
    }

    func add(_ item: Item) {
        let (wasAsleep, isFirst) = state.withLock { state in
            if let job = item.job, job == state.runningJob, isCurrent {
                state.ownReturn = item
                return (false, false)
            }
            state.items.append(item)
            defer { state.isAsleep = false }
            return (state.isAsleep, state.items.count == 1)
        }
        switch driver {
        case .thread(let poll): if wasAsleep { poll.wake() }
        case .virtual(let time): if isFirst { time.isReady(self) }
        }
    }

    private func spawn(name: String, _ poll: Poll) throws(SystemError) {
        let weakly = WeakLoop(self)
        try startThread(named: name) { @Sendable in
            weakly.loop?.thread.store(pthread_self(), ordering: .relaxed)
            // The thread holds the loop only while there is work, so that the loop can end while its thread sleeps.
            while let patience = weakly.loop?.runBatch(poll) {
                poll.wait(patience)
            }
        }
    }
}

extension EventLoop {
    /// The thread or simulation that runs the loop.
    enum Driver {
        /// A thread of its own, which waits in the poll.
        case thread(Poll)
        /// ``VirtualTime/run(until:)``.
        case virtual(VirtualTime)
    }

    enum Item {
        case actorJob(UnownedJob)
        case taskJob(UnownedJob, LoopTaskExecutor)
        case work(@Sendable () -> Void)

        /// The identity of the job. A task is the same job each time.
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
        /// The buffer that the loop swaps in when it takes the items. It holds memory and no items.
        var spare: [Item]?
        var runningJob: UInt?
        /// The item that the running job queued for itself.
        var ownReturn: Item?
        var timers = TimerQueue<ContinuousClock.Instant, @Sendable () -> Void>()
        var armedDeadline: ContinuousClock.Instant?
        var watches: [UInt64: @Sendable (Readiness) -> Void] = [:]
        var lastWatch: UInt64 = 0
        /// The number of pieces of work done in virtual time.
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
