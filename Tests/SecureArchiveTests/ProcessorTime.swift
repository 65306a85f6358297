import Glibc

/// The processor's time of a body on this thread, on any busy machine.
func processorTime(of body: () -> Void) -> Duration {
    let before = threadTime()
    body()
    return threadTime() - before
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
