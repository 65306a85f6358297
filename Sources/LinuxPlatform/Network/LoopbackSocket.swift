import Glibc

/// A listening socket that only programs of this machine can reach, for a library that accepts connections by itself.
public final class LoopbackSocket: Sendable {
    /// 127.0.0.1, and the requested port or the one that the kernel chose.
    public let address: SocketAddress
    private let descriptor: OwnedDescriptor

    /// - Parameter port: the port to listen on; 0 lets the kernel choose
    public init(port: UInt16 = 0) throws(SystemError) {
        let descriptor = try Sockets.open(AF_INET)
        let number = descriptor.number
        try Sockets.set(SO_REUSEADDR, of: SOL_SOCKET, on: number)
        address = try Sockets.bind(number, to: SocketAddress(.v4(127, 0, 0, 1), port: port))
        try retrying("listen", on: address.description) { listen(number, SOMAXCONN) }
        self.descriptor = descriptor
    }

    /// The descriptor. It closes with this object.
    public var number: CInt { descriptor.number }
}
