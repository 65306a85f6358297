extension EventLoop {
    /// Queues a job of an actor or task.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// This loop as an actor's executor. The actor must hold the loop.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// This loop as a task's preferred executor.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Ends the program where code that belongs on the loop runs elsewhere.
    public func checkIsolated() {
        precondition(isCurrent, "this must run on the event loop's own thread")
    }

    /// Lets `assumeIsolated` know without ending the program.
    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }
}
