import Glibc
import LinuxPlatform

/// A gate that holds a whole thread until it is opened, to force an order between threads. Once open, it stays open.
///
/// It must not block one of Swift's own threads, since there may be only one.
public final class BlockingGate: Sendable {
    private let outside: OwnedDescriptor
    private let inside: OwnedDescriptor

    /// A closed gate.
    public init() {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "a gate needs two descriptors")
        inside = OwnedDescriptor(takingOwnershipOf: ends[0])
        outside = OwnedDescriptor(takingOwnershipOf: ends[1])
    }

    /// Opens the gate for all threads.
    public func open() {
        var byte: UInt8 = 1
        precondition(write(outside.number, &byte, 1) == 1, "a gate could not be opened")
    }

    /// Blocks the calling thread until the gate is open, at most twenty seconds.
    public func pass() {
        var request = pollfd(fd: inside.number, events: Int16(POLLIN), revents: 0)
        precondition(poll(&request, 1, 20_000) == 1, "a gate was not opened in time")
    }
}
