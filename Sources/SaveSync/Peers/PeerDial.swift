import LinuxPlatform

/// A machine that is dialed repeatedly for a while.
@Engine
final class PeerDial {
    /// True if the machine may be online. A machine that left an invitation unanswered may do so again.
    private(set) var isHopeful = true
    private var isHurried = false
    private let waiting = Waiters()
    var isPausing: Bool { !waiting.isEmpty }

    /// Waits before the next attempt, unless a call waits for the machine.
    func pause(for wait: Duration) async throws {
        defer { isHurried = false }
        guard !isHurried, wait > .zero else { return try Task.checkCancellation() }
        try await waiting.wait(until: .current + wait)
    }

    /// Ends the wait, because a call waits for the machine.
    func hurry() {
        guard isHopeful else { return }
        isHurried = true
        waiting.wake()
    }

    /// Ends the wait, because the machine is connected and an invitation reaches it now.
    func linkCameUp() { waiting.wake() }

    func wasLeftUnanswered() { isHopeful = false }
}
