import Synchronization

/// Access for ``VirtualTime`` to a loop that has no thread.
extension EventLoop {
    var hasItems: Bool { state.withLock { !$0.items.isEmpty } }

    var nextTimer: ContinuousClock.Instant? { state.withLock { $0.timers.next } }

    /// Runs the next piece of work.
    /// - Parameter whenEmpty: called before it runs, if it is the last one
    func runOne(whenEmpty: () -> Void) {
        let (item, isLast) = state.withLock { state -> (Item?, Bool) in
            state.turns += 1
            guard !state.items.isEmpty else { return (nil, true) }
            return (state.items.removeFirst(), state.items.isEmpty)
        }
        if isLast { whenEmpty() }
        if let item { runToItsEnd(item) }
    }

    func runNextTimer() {
        let now = ContinuousClock.Instant.current
        state.withLock { $0.timers.popDue(now) }?()
    }
}
