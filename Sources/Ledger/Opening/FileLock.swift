import Glibc
import LinuxPlatform

/// An open file under `flock`, unlocked when the value goes or the program ends, however it ends.
final class FileLock: Sendable {
    private let descriptor: OwnedDescriptor

    init(_ descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing alone would leave it to a child that was just forked and holds a copy of the descriptor.
        _ = flock(descriptor.number, LOCK_UN)
    }

    /// Whether it could be had at once, for oneself alone or together with others who share it.
    func take(_ kind: Kind) -> Bool {
        while flock(descriptor.number, (kind == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Whether it could be had in a while. It blocks the thread, for there is no call that waits for a lock and a deadline.
    func take(_ kind: Kind, within limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        while !take(kind) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(Self.stepMicroseconds)
        }
        return true
    }

    private static let stepMicroseconds: UInt32 = 10_000

    enum Kind { case alone, shared }

    /// Sets the file's times to now, which those who watch it notice.
    func touch() {
        // Whoever misses it sees the change at the next one; there is nobody to tell here.
        _ = futimens(descriptor.number, nil)
    }
}
