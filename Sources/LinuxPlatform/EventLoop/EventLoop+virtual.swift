import Synchronization

/// Access for ``VirtualTime`` to a loop that has no thread.
extension EventLoop {
    var hasItems: Bool { state.withLock { !$0.items.isEmpty } }

    var nextTimer: ContinuousClock.Instant? { state.withLock { $0.timers.next } }

    func runOne() {
        guard
            let item = state.withLock({ state in
                state.turns += 1
                return state.items.isEmpty ? nil : state.items.removeFirst()
            })
        else { return }
        runToItsEnd(item)
    }

    func runNextTimer() {
        let now = ContinuousClock.Instant.current
        state.withLock { $0.timers.popDue(now) }?()
    }
}
