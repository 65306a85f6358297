import LinuxPlatform

/// A machine that is dialed, again and again for a while.
@Engine
final class PeerDial {
    /// True if it may be online. A machine that left an invitation unanswered may do so again.
    private(set) var isHopeful = true
    private var isHurried = false
    private let waiting = Waiters()
    var isPausing: Bool { !waiting.isEmpty }

    /// Waits before it is dialed, unless a call waits for it.
    func pause(for wait: Duration) async throws {
        defer { isHurried = false }
        guard !isHurried, wait > .zero else { return try Task.checkCancellation() }
        try await waiting.wait(until: .current + wait)
    }

    /// A call waits for the machine.
    func hurry() {
        guard isHopeful else { return }
        isHurried = true
        waiting.wake()
    }

    /// The peer is connected, so an invitation reaches it now.
    func linkCameUp() { waiting.wake() }

    func wasLeftUnanswered() { isHopeful = false }
}
