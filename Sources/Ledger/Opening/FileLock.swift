import Glibc
import LinuxPlatform

/// A lock by `flock` on an open file. It is released with this object, or when the program ends in any way.
final class FileLock: Sendable {
    private let descriptor: OwnedDescriptor

    init(_ descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing alone would leave the lock to a child that was just forked and has a copy of the descriptor.
        _ = flock(descriptor.number, LOCK_UN)
    }

    /// Takes the lock, exclusive or shared, without waiting. Returns true if it was free.
    func take(_ kind: Kind) -> Bool {
        while flock(descriptor.number, (kind == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Takes the lock within a limit. Blocks the thread, because no call waits for a lock with a deadline.
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

    /// Sets the file's times to now, which wakes its watchers.
    func touch() {
        // On failure the watchers see the change at the next touch. There is no caller that could handle the error.
        _ = futimens(descriptor.number, nil)
    }
}
