import CLinux

/// The operations that a descriptor is ready for.
public struct Readiness: OptionSet, Sendable, Hashable {
    /// The bits, as `epoll` gives them.
    public let rawValue: UInt32

    /// Makes a set of `epoll`'s bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// There are bytes to read, a connection to accept, or the other side has finished sending.
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
    /// There is room to write.
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The descriptor has failed or both directions have ended; `epoll` reports it without a request.
    public static let ended = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)

    /// The end of input: the other side has finished sending, or the descriptor has ended.
    public static let finished = Readiness(rawValue: EPOLLRDHUP.rawValue | ended.rawValue)

    /// Tells if any of the bits of `other` is set.
    public func touches(_ other: Readiness) -> Bool {
        rawValue & other.rawValue != 0
    }
}
