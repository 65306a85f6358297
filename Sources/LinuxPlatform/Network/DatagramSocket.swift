import CLinux
import Glibc

/// A UDP socket. What there is no room for at once is dropped, as the network would do anyway; nothing queues.
public final class DatagramSocket: Sendable {
    /// Where it receives; the port is never 0 here.
    public let address: SocketAddress

    private let descriptor: OwnedDescriptor
    private let signal: ReadinessSignal

    /// What became of a datagram.
    public enum Outcome: Hashable, Sendable {
        /// The kernel took it. Whether it arrives is not known.
        case sent
        /// It was not sent: no room, no way there, or too large for the way.
        case dropped(SystemError)
    }

    /// A datagram as it came.
    public struct Received: Hashable, Sendable {
        /// What it holds.
        public let bytes: [UInt8]
        /// Who it says it is from; anybody can claim any address.
        public let sender: SocketAddress
    }

    /// - Parameters:
    ///   - address: where to receive; port 0 lets the kernel choose, and the unspecified IPv6 address takes IPv4 too
    ///   - loop: the loop whose thread tells when something has come
    public init(on address: SocketAddress, loop: EventLoop) throws(SystemError) {
        let descriptor = try Sockets.open(address.family, SOCK_DGRAM)
        self.address = try Sockets.bind(descriptor.number, to: address)
        signal = try ReadinessSignal(descriptor.number, on: loop)
        self.descriptor = descriptor
    }

    /// Hears what is said to a multicast group on one interface, by this machine too, and speaks to it there. Others of this machine
    /// may hear the same group.
    ///
    /// - Parameters:
    ///   - group: an address of a group, and the port
    ///   - interface: the kernel's number of the interface
    ///   - loop: the loop whose thread tells when something has come
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

    /// Sends one datagram, or says at once why it could not be.
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
    /// - Parameter limit: how many bytes are of interest; longer ones are passed over
    public nonisolated(nonsending) func receive(upTo limit: Int) async throws -> Received {
        while true {
            signal.expect(.readable)
            if let received = try receiveIfReady(upTo: limit) { return received }
            try await signal.wait(for: .readable)
        }
    }

    /// The next datagram that has come already; nil where there is none.
    public func receiveIfReady(upTo limit: Int) throws(SystemError) -> Received? {
        while true {
            do throws(SystemError) {
                let (bytes, sender) = try Sockets.filledIn { raw, length throws(SystemError) in
                    try receive(upTo: limit, from: raw, &length)
                }
                guard let bytes else { return nil }
                if let sender, bytes.count <= limit { return Received(bytes: bytes, sender: sender) }
            } catch {
                // What the network says about an earlier datagram is no matter of this call.
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
        // One byte more, by which one that is too long is known.
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
