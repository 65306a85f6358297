import LinuxPlatform

/// A peer that is being dialled, for a while again and again.
@Engine
final class PeerDial {
    /// Whether it may be there for all that is known. Whoever has left an invitation unanswered may go on doing so.
    private(set) var isHopeful = true
    private var isHurried = false
    private var waiting: Resumption<Void>?
    var isPausing: Bool { waiting != nil }

    /// Waits before it is dialled, unless somebody is in a hurry.
    func pause(for wait: Duration) async throws {
        defer { isHurried = false }
        guard !isHurried, wait > .zero else { return try Task.checkCancellation() }
        let turn = Resumption<Void>()
        waiting = turn
        let timer = Engine.schedule(at: .current + wait) { turn.resume(with: .success(())) }
        defer {
            timer.cancel()
            waiting = nil
        }
        try await turn.valueUnlessCancelled()
    }

    /// Somebody waits for the peer.
    func hurry() {
        guard isHopeful else { return }
        isHurried = true
        waiting?.resume(with: .success(()))
    }

    /// The peer is connected, so an invitation reaches it now.
    func linkCameUp() { waiting?.resume(with: .success(())) }

    func wasLeftUnanswered() { isHopeful = false }
}
