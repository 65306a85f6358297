import Glibc

/// An open file together with the one lock that a file has for a writer.
///
/// The lock is released when the value goes, and by the kernel when the program is killed. The release is a call of its
/// own and not left to closing: a child that was just forked holds a copy of the descriptor, and with it the lock,
/// until it becomes another program.
public struct LockedFile: ~Copyable, Sendable {
    /// The open file.
    public let descriptor: OwnedDescriptor

    fileprivate init(_ descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // It fails only for a file that is not locked.
        _ = flock(descriptor.number, LOCK_UN)
    }
}

extension OwnedDescriptor {
    /// Takes the one lock that a file has for a writer, without waiting.
    ///
    /// - Returns: nil if another program has the lock; the file is then closed
    public consuming func lockedForWriting() throws(SystemError) -> LockedFile? {
        guard try retryingUnlessBlocked("flock", { [number] in flock(number, LOCK_EX | LOCK_NB) }) != nil else {
            return nil
        }
        return LockedFile(self)
    }
}
