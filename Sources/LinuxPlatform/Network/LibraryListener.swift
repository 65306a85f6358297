import Glibc

/// A listening socket for a library that accepts connections by itself.
public final class LibraryListener: Sendable {
    /// The programs and machines that can reach it.
    public enum Reach: Sendable {
        /// Programs of this machine.
        case loopback
        /// Programs of all machines that have a way to an IPv4 address of this one, over TLS.
        /// - Parameter identity: a key and its certificate in PEM
        case network(identity: String)
        /// The same without TLS, for devices that have none.
        case plainNetwork
    }

    /// The programs and machines that can reach it.
    public let reach: Reach
    /// The address, with the requested port or the one that the kernel chose.
    public let address: SocketAddress
    private let descriptor: OwnedDescriptor

    /// - Parameter port: the port to listen on; 0 lets the kernel choose
    public init(_ reach: Reach, port: UInt16 = 0) throws(SystemError) {
        let descriptor = try Sockets.open(AF_INET)
        let number = descriptor.number
        try Sockets.set(SO_REUSEADDR, of: SOL_SOCKET, on: number)
        let own: IPAddress =
            switch reach {
            case .loopback: .v4(127, 0, 0, 1)
            case .network, .plainNetwork: .v4(0, 0, 0, 0)
            }
        self.reach = reach
        address = try Sockets.bind(number, to: SocketAddress(own, port: port))
        try retrying("listen", on: address.description) { listen(number, SOMAXCONN) }
        self.descriptor = descriptor
    }

    /// The descriptor. It closes with this object.
    public var number: CInt { descriptor.number }
}
