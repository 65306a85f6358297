import Glibc

/// What something takes of the processor's time on this thread. How busy the machine is makes no difference.
public func processorTime(of body: () throws -> Void) rethrows -> Duration {
    let before = threadTime()
    try body()
    return threadTime() - before
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
