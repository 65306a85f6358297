import Glibc

/// An open file together with the one lock that a file has for a writer.
///
/// The lock is given back when the value goes, and by the kernel when the program is killed. Giving it back is a call of its own and not
/// left to closing: a child that was just forked holds a copy of the descriptor until it becomes another program, and with it the lock.
public struct LockedFile: ~Copyable, Sendable {
    /// The open file.
    public let descriptor: OwnedDescriptor

    fileprivate init(_ descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // It fails only for what is not locked.
        _ = flock(descriptor.number, LOCK_UN)
    }
}

extension OwnedDescriptor {
    /// Takes the one lock that a file has for a writer, without waiting.
    ///
    /// - Returns: nil if somebody else has it; then the file is closed
    public consuming func lockedForWriting() throws(SystemError) -> LockedFile? {
        guard try retryingUnlessBlocked("flock", { [number] in flock(number, LOCK_EX | LOCK_NB) }) != nil else {
            return nil
        }
        return LockedFile(self)
    }
}
