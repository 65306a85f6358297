import LinuxPlatform

/// Of several connections to one peer, at its several addresses, one says hello at a time: the peer takes each that does for
/// the link, and would let go of the one before.
@Engine
final class GreetingTurn {
    private var isTaken = false
    private var waiting: [Resumption<Void>] = []

    /// Waits until nobody else has the turn.
    func take() async throws {
        while isTaken {
            let free = Resumption<Void>()
            waiting.append(free)
            defer { waiting.removeAll { $0 === free } }
            try await free.valueUnlessCancelled()
        }
        isTaken = true
    }

    /// It came to nothing; the next may try.
    func pass() {
        isTaken = false
        for free in waiting { free.resume(with: .success(())) }
    }
}
