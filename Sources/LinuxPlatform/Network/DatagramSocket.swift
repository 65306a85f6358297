import CLinux
import Glibc

/// A UDP socket. It drops a datagram for which there is no room at once, as the network would do anyway; nothing
/// queues.
public final class DatagramSocket: Sendable {
    /// The receiving address; the port is never 0 here.
    public let address: SocketAddress

    private let descriptor: OwnedDescriptor
    private let signal: ReadinessSignal

    /// The outcome of sending a datagram.
    public enum Outcome: Hashable, Sendable {
        /// The kernel took it. Its arrival is not known.
        case sent
        /// It was not sent: no room, no route, or too large for the route.
        case dropped(SystemError)
    }

    /// A received datagram.
    public struct Received: Hashable, Sendable {
        /// The payload.
        public let bytes: [UInt8]
        /// The claimed sender: any machine can forge an address.
        public let sender: SocketAddress
    }

    /// - Parameters:
    ///   - address: the receiving address; port 0 lets the kernel choose, and the unspecified IPv6 address includes
    ///     IPv4
    ///   - loop: the loop whose thread reports arrivals
    public init(on address: SocketAddress, loop: EventLoop) throws(SystemError) {
        let descriptor = try Sockets.open(address.family, SOCK_DGRAM)
        self.address = try Sockets.bind(descriptor.number, to: address)
        signal = try ReadinessSignal(descriptor.number, on: loop)
        self.descriptor = descriptor
    }

    /// Receives datagrams for a multicast group on one interface, including this machine's own, and sends to it there.
    /// Other programs of this machine may receive the same group.
    ///
    /// - Parameters:
    ///   - group: the address of a group, and the port
    ///   - interface: the kernel's number of the interface
    ///   - loop: the loop whose thread reports arrivals
    public init(joining group: SocketAddress, on interface: UInt32, loop: EventLoop) throws(SystemError) {
        let descriptor = try Sockets.open(group.family, SOCK_DGRAM)
        let number = descriptor.number
        try Sockets.set(SO_REUSEADDR, of: SOL_SOCKET, on: number)
        address = try Sockets.bind(number, to: group)
        try group.withRaw { raw, length throws(SystemError) in
            _ = try retrying("join", on: group.description) { huddle_join_group(number, raw, length, interface) }
        }
        try retrying("setsockopt") { huddle_keep_to_interface(number, group.family, interface) }
        signal = try ReadinessSignal(number, on: loop)
        self.descriptor = descriptor
    }

    deinit {
        signal.end()
    }

    /// Sends one datagram, or returns at once with the reason why it could not.
    public func send(_ bytes: [UInt8], to target: SocketAddress) -> Outcome {
        let target = address.family == AF_INET6 ? target.mapped : target
        do throws(SystemError) {
            try target.withRaw { raw, length throws(SystemError) in
                _ = try retrying("sendto") {
                    bytes.withUnsafeBytes {
                        sendto(descriptor.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL), raw, length)
                    }
                }
            }
            return .sent
        } catch {
            return .dropped(error)
        }
    }

    /// Waits for the next datagram.
    ///
    /// - Parameter limit: the most bytes of interest; longer datagrams are skipped
    public nonisolated(nonsending) func receive(upTo limit: Int) async throws -> Received {
        while true {
            signal.expect(.readable)
            if let received = try receiveIfReady(upTo: limit) { return received }
            try await signal.wait(for: .readable)
        }
    }

    /// Returns the next datagram that has already arrived; nil if there is none.
    public func receiveIfReady(upTo limit: Int) throws(SystemError) -> Received? {
        while true {
            do throws(SystemError) {
                let (bytes, sender) = try Sockets.filledIn { raw, length throws(SystemError) in
                    try receive(upTo: limit, from: raw, &length)
                }
                guard let bytes else { return nil }
                if let sender, bytes.count <= limit { return Received(bytes: bytes, sender: sender) }
            } catch {
                // The network's report about an earlier datagram does not concern this call.
                guard error.number == ECONNREFUSED || error.number == EHOSTUNREACH else { throw error }
            }
        }
    }

    private func receive(
        upTo limit: Int,
        from sender: UnsafeMutablePointer<sockaddr>,
        _ length: inout socklen_t
    ) throws(SystemError) -> [UInt8]? {
        var failure: SystemError?
        var wouldBlock = false
        // One byte more, which reveals a datagram that is too long.
        // because the kernel fills the bytes, and only as many count as it says it filled
        let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { room, count in
            do throws(SystemError) {
                let received = try retryingUnlessBlocked("recvfrom") {
                    recvfrom(descriptor.number, room.baseAddress, limit + 1, 0, sender, &length)
                }
                wouldBlock = received == nil
                count = received ?? 0
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return wouldBlock ? nil : bytes
    }
}
