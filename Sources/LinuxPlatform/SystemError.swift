import Glibc
import Vocabulary

/// A call into the kernel that failed: which one, on what, and with which error number.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted, as one would look it up: `openat2`, `connect`.
    public let operation: String

    /// What it was attempted on, where that helps a reader. Never the contents of anything.
    public let subject: String?

    /// The kernel's error number.
    public let number: CInt

    /// Takes `errno` as it stands, so nothing may come between the call and this.
    ///
    /// - Parameters:
    ///   - operation: the call that failed
    ///   - subject: a path or address
    public init(_ operation: String, on subject: String? = nil) {
        self.init(operation, errno, on: subject)
    }

    /// - Parameters:
    ///   - operation: the call that failed
    ///   - number: its error number
    ///   - subject: a path or address
    public init(_ operation: String, _ number: CInt, on subject: String? = nil) {
        self.operation = operation
        self.number = number
        self.subject = subject
    }

    /// The kernel's own sentence, such as “No space left on device”.
    public var reason: String { Self.sentence(for: number) }

    /// The reason, the call and what it was made on, fit to print: a peer may have named that.
    ///
    /// Some callers make the name printable themselves, so no backslash is doubled.
    public var description: String {
        let shown = subject.map { " \(PrintableText(prose: $0, limit: 4096))" }
        return "\(reason) (\(operation)\(shown ?? ""))"
    }

    private static func sentence(for number: CInt) -> String {
        // `strerror` may share its buffer between threads; this form fills ours.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0 else {
                return "error \(number)"
            }
            return String(cString: start)
        }
    }
}

/// Makes a call that answers -1 on failure, again and again while a signal interrupts it.
///
/// `EBADF` and `EFAULT` are always our own fault, so they end the program with the name of the call. `close` must not be
/// called through here: after `EINTR` its descriptor is gone already.
@discardableResult
public func retrying<Result: FixedWidthInteger>(
    _ operation: String,
    on subject: @autoclosure () -> String? = nil,
    _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        guard result == -1 else { return result }
        let number = errno
        precondition(number != EBADF && number != EFAULT, "\(operation) was given a bad descriptor or address")
        if number != EINTR {
            throw SystemError(operation, number, on: subject())
        }
    }
}

/// The same for calls on descriptors that don't block: nil where the call would have had to wait.
public func retryingUnlessBlocked<Result: FixedWidthInteger>(
    _ operation: String,
    _ call: () -> Result
) throws(SystemError) -> Result? {
    do {
        return try retrying(operation, call)
    } catch let error where error.number == EAGAIN || error.number == EINPROGRESS {
        return nil
    }
}
