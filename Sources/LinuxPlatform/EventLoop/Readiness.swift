import CLinux

/// What a descriptor is ready for.
public struct Readiness: OptionSet, Sendable, Hashable {
    /// The bits, as `epoll` gives them.
    public let rawValue: UInt32

    /// Makes a set of `epoll`'s bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// There is something to read, a connection to accept, or the other side has finished sending.
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
    /// There is room to write.
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The descriptor has failed or both directions have ended; `epoll` reports it unasked.
    public static let ended = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)

    /// Nothing comes any more behind what has: the other side has finished sending, or the descriptor has ended.
    public static let finished = Readiness(rawValue: EPOLLRDHUP.rawValue | ended.rawValue)

    /// Whether any of the bits of `other` is set.
    public func touches(_ other: Readiness) -> Bool {
        rawValue & other.rawValue != 0
    }
}
