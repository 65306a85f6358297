import Glibc

/// A file descriptor with exactly one owner, closed when the owner releases it.
///
/// It can't be copied, so it can't be closed twice. That excludes the worst descriptor bug: closing a number that has
/// since been given to another file.
public struct OwnedDescriptor: ~Copyable, Sendable {
    /// The number, lent to calls. The borrower must never close it.
    public let number: CInt

    /// - Parameter number: an open descriptor that no other code closes
    public init(takingOwnershipOf number: CInt) {
        precondition(number >= 0, "a descriptor is never negative")
        self.number = number
    }

    deinit {
        // Writes that matter were flushed before; there is no caller to report to here.
        _ = Glibc.close(number)
    }

    /// Closes and reports the kernel's answer, which for a written file can be the first report of a failed write.
    public consuming func close() throws(SystemError) {
        let number = release()
        // Never retried: on Linux the descriptor is gone even when the answer is EINTR.
        guard Glibc.close(number) == 0 || errno == EINTR else { throw SystemError("close") }
    }

    /// Hands the number over to another owner, which must close it.
    public consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    /// Returns a second descriptor for the same open file.
    public borrowing func duplicate() throws(SystemError) -> OwnedDescriptor {
        let number = number
        return OwnedDescriptor(takingOwnershipOf: try retrying("dup") { fcntl(number, F_DUPFD_CLOEXEC, 0) })
    }
}
