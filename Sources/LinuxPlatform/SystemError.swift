import Glibc
import Vocabulary

/// A failed kernel call: its name, its subject, and the error number.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, as in its manual page: `openat2`, `connect`.
    public let operation: String

    /// The path or address of the call, if it helps a reader. Never the contents of anything.
    public let subject: String?

    /// The kernel's error number.
    public let number: CInt

    /// Takes the current `errno`, so nothing may come between the call and this.
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

    /// The reason, the call and its subject, fit to print: a peer may have named the subject.
    ///
    /// Some callers make the name printable themselves, so no backslash is doubled.
    public var description: String {
        let shown = subject.map { " \(PrintableText(prose: $0, limit: 4096))" }
        return "\(reason) (\(operation)\(shown ?? ""))"
    }

    private static func sentence(for number: CInt) -> String {
        // `strerror` may share its buffer between threads; this form fills a buffer of the caller.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0 else {
                return "error \(number)"
            }
            return String(cString: start)
        }
    }
}

/// Makes a call that returns -1 on failure, and repeats it while a signal interrupts it.
///
/// `EBADF` and `EFAULT` are always a bug of this program, so they end it with the name of the call. Never call `close`
/// through this: after `EINTR` its descriptor is already gone.
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

/// The same for calls on non-blocking descriptors: nil if the call would have had to wait.
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
