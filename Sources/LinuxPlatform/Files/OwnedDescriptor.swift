import Glibc

/// A file descriptor with exactly one owner, closed when the owner lets go.
///
/// Copying is impossible, so closing twice is too, and with it the worst of descriptor bugs: closing a number that
/// somebody else has been given meanwhile.
public struct OwnedDescriptor: ~Copyable, Sendable {
    /// The number, to be lent to calls and never to be closed by the borrower.
    public let number: CInt

    /// - Parameter number: an open descriptor that nobody else will close
    public init(takingOwnershipOf number: CInt) {
        precondition(number >= 0, "a descriptor is never negative")
        self.number = number
    }

    deinit {
        // What was written has been flushed where that mattered; there is nobody to tell here.
        _ = Glibc.close(number)
    }

    /// Closes and reports what the kernel says, which for a written file can be the first word of a failed write.
    public consuming func close() throws(SystemError) {
        let number = release()
        // Never retried: on Linux the descriptor is gone even when the answer is EINTR.
        guard Glibc.close(number) == 0 || errno == EINTR else { throw SystemError("close") }
    }

    /// Hands the number over to something else that will close it.
    public consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    /// A second descriptor for the same open file.
    public borrowing func duplicate() throws(SystemError) -> OwnedDescriptor {
        let number = number
        return OwnedDescriptor(takingOwnershipOf: try retrying("dup") { fcntl(number, F_DUPFD_CLOEXEC, 0) })
    }
}
