import CLinux
import Glibc

/// The machine's network interfaces, as a new list after each change: one appeared, lost its cable, got an address.
/// Made for one reader.
///
/// The kernel only says *that* something changed; the list is read again each time. So nothing piles up while the
/// reader is busy, and nothing is missed when the kernel's own buffer overflows.
public final class InterfaceChanges: Sendable, AsyncSequence {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    /// Notices changes from now on.
    public init(on loop: EventLoop) throws(SystemError) {
        let kind = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = try retrying("socket") { socket(AF_NETLINK, kind, CInt(NETLINK_ROUTE)) }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        self.loop = loop
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
        try retrying("bind", on: "netlink") {
            withUnsafePointer(to: &address) { pointer in
                // because the socket calls take every kind of address through this one type
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
                }
            }
        }
    }

    /// Waits for the next change and reads the list.
    public func next() async throws -> [NetworkInterface] {
        while true {
            try await loop.waitUntil(.readable, descriptor.number)
            if drain() { return try NetworkInterface.all() }
        }
    }

    private func drain() -> Bool {
        var hasChanged = false
        withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
            // An overflow (ENOBUFS) is a change too: the kernel had more to report than its buffer holds.
            while recv(descriptor.number, buffer.baseAddress, buffer.count, 0) > 0 || errno == ENOBUFS {
                hasChanged = true
            }
        }
        return hasChanged
    }

    /// Iterates over the changes.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// Returns one list after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let changes: InterfaceChanges

        /// Waits for the next change. It throws when the task is cancelled.
        public mutating func next() async throws -> [NetworkInterface]? { try await changes.next() }
    }
}
