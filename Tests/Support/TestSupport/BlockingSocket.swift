import CLinux
import Glibc
public import LinuxPlatform

/// A socket with blocking calls. It is the other side for code under test, and the comparison for measurements.
///
/// It must not block one of Swift's own threads if the other side needs one to answer.
public final class BlockingSocket: Sendable {
    /// The descriptor, which the socket still owns.
    public let descriptor: OwnedDescriptor

    /// Takes the ownership of a socket.
    public init(_ descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// Two sockets connected to each other, without any network.
    public static func pair() -> (BlockingSocket, BlockingSocket) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "no pair of sockets")
        return (
            BlockingSocket(OwnedDescriptor(takingOwnershipOf: ends[0])),
            BlockingSocket(OwnedDescriptor(takingOwnershipOf: ends[1]))
        )
    }

    /// A TCP socket at a free port of 127.0.0.1, which listens if a backlog is given. Without one, connections are
    /// refused, and no other program gets the port.
    public static func boundToLoopback(backlog: CInt?) throws -> (socket: BlockingSocket, port: UInt16) {
        let bound = try tcp()
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withRaw(&address) { raw in
            try retrying("bind") { bind(bound.number, raw, length) }
            if let backlog { try retrying("listen") { listen(bound.number, backlog) } }
            try retrying("getsockname") { getsockname(bound.number, raw, &length) }
        }
        return (BlockingSocket(bound), UInt16(bigEndian: address.sin_port))
    }

    /// A connection to a port of 127.0.0.1.
    public static func connected(toLoopbackPort port: UInt16) throws -> BlockingSocket {
        let made = try tcp()
        var address = loopback(port: port)
        try withRaw(&address) { raw in
            try retrying("connect") { connect(made.number, raw, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        return BlockingSocket(made)
    }

    /// Waits for a connection.
    public func accept() throws -> BlockingSocket {
        BlockingSocket(
            OwnedDescriptor(
                takingOwnershipOf: try retrying("accept4") {
                    accept4(descriptor.number, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
                }
            )
        )
    }

    /// Sends everything.
    public func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            sent += try bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[sent...])
                return try retrying("send") {
                    Glibc.send(descriptor.number, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
                }
            }
        }
    }

    /// Receives into the whole of `room`, and returns the number of bytes before the end.
    public func receive(filling room: inout [UInt8]) throws -> Int {
        var count = 0
        while count < room.count {
            let more = try room.withUnsafeMutableBytes { all in
                let rest = UnsafeMutableRawBufferPointer(rebasing: all[count...])
                return try retrying("recv") { recv(descriptor.number, rest.baseAddress, rest.count, 0) }
            }
            guard more > 0 else { break }
            count += more
        }
        return count
    }

    /// Sends each small message at once.
    public func sendSmallMessagesAtOnce() throws {
        try set(CInt(TCP_NODELAY), of: CInt(IPPROTO_TCP), to: CInt(1))
    }

    /// Makes the kernel's buffers so small that the other side soon gets back-pressure.
    public func keepBuffersSmall() throws {
        try set(SO_RCVBUF, of: SOL_SOCKET, to: CInt(4096))
        try set(SO_SNDBUF, of: SOL_SOCKET, to: CInt(4096))
    }

    /// Resets a TCP connection, as if the machine behind it had lost it.
    public func reset() throws {
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: sockaddr().sa_data)
        try retrying("connect") { connect(descriptor.number, &nowhere, socklen_t(MemoryLayout<sockaddr>.size)) }
    }

    /// The same connection for code that never blocks. From now on this socket does not block either.
    public func nonBlocking() throws -> OwnedDescriptor {
        let duplicate = try descriptor.duplicate()
        let number = duplicate.number
        try retrying("fcntl") { fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
        return duplicate
    }

    /// Ends both directions, which wakes threads that block in a call on it.
    public func end() {
        shutdown(descriptor.number, CInt(SHUT_RDWR))
    }

    private func set<Value: BitwiseCopyable>(_ option: CInt, of level: CInt, to value: Value) throws {
        var value = value
        try retrying("setsockopt") {
            setsockopt(descriptor.number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
        }
    }

    private static func tcp() throws -> OwnedDescriptor {
        OwnedDescriptor(
            takingOwnershipOf: try retrying("socket") {
                socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            }
        )
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
        return address
    }

    private static func withRaw(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>) throws -> Void
    ) throws {
        try withUnsafeMutablePointer(to: &address) { pointer in
            // because the socket calls take every kind of address through this one type
            try UnsafeMutableRawPointer(pointer).withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0) }
        }
    }
}
