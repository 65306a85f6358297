import Synchronization

extension EventLoop {
    /// Queues a job of an actor.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.actorJob(UnownedJob(job)))
    }

    /// This loop as an actor's executor. The actor must hold the loop.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Ends the program if code that belongs on the loop runs on another thread.
    public func checkIsolated() {
        precondition(isCurrent, "this must run on the event loop's own thread")
    }

    /// Answers `assumeIsolated` without ending the program.
    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }
}

/// A loop as the preferred executor of tasks.
/// It is not the loop itself, because Swift runs a job differently when it comes from a task's preference than when it
/// comes from an actor. With one executor for both, Swift queues the job again at every call of a function that belongs
/// to no actor.
public final class LoopTaskExecutor: TaskExecutor {
    let loop: EventLoop

    fileprivate init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Queues a job of a task that belongs to no actor at this point.
    public func enqueue(_ job: consuming ExecutorJob) {
        loop.add(.taskJob(UnownedJob(job), self))
    }
}

extension EventLoop {
    /// This loop for `Task(executorPreference:)` and `withTaskExecutorPreference`: such a task runs on the loop's
    /// thread whenever it is outside every actor. It keeps the loop alive.
    public var taskExecutor: LoopTaskExecutor {
        knownTaskExecutor.withLock { known in
            if let executor = known.executor { return executor }
            let executor = LoopTaskExecutor(self)
            known.executor = executor
            return executor
        }
    }

    /// The executor in use, if any. Two would be two different executors to Swift, with a hop between them.
    struct KnownTaskExecutor {
        weak var executor: LoopTaskExecutor?
    }
}
