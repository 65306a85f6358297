import LinuxPlatform

/// Serialises the handshakes of several connections to one peer at its several addresses. The peer takes each
/// connection with a Hello for the link, and would drop the one before.
@Engine
final class HandshakeMutex {
    private var isLocked = false
    private var waiting: [Resumption<Void>] = []

    func lock() async throws {
        while isLocked {
            let free = Resumption<Void>()
            waiting.append(free)
            defer { waiting.removeAll { $0 === free } }
            try await free.valueUnlessCancelled()
        }
        isLocked = true
    }

    /// Lets the next one try, after a handshake that failed.
    func unlock() {
        isLocked = false
        for free in waiting { free.resume(with: .success(())) }
    }
}
