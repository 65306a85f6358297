import Glibc
import LinuxPlatform
import Transport

/// The sockets on which others reach a node: one port for connections and for datagrams.
@Engine
struct ListeningSockets {
    let connections: ChannelListener
    let datagrams: DatagramPort

    init(_ address: IPAddress?, _ port: UInt16) throws(SystemError) {
        connections =
            if let address {
                try ChannelListener(on: SocketAddress(address, port: port), loop: Engine.loop)
            } else {
                try .everywhere(port: port, loop: Engine.loop)
            }
        datagrams = try DatagramPort(on: connections.address)
    }

    /// Opens the sockets; nil if the node takes no connections.
    static func open(_ configuration: NodeConfiguration, _ store: any PeerStore) async throws -> ListeningSockets? {
        guard let port = configuration.port else { return nil }
        guard configuration.keepsPort else { return try ListeningSockets(configuration.address, port) }
        let kept = try await store.port()
        let sockets = try first(of: [kept, port].compactMap(\.self), configuration.address)
        // Firewalls and typed addresses depend on the port, so it is the first choice of the next run, too.
        if sockets.connections.port != kept { try await store.keepPort(sockets.connections.port) }
        return sockets
    }

    private static func first(of ports: [UInt16], _ address: IPAddress?) throws -> ListeningSockets {
        for port in ports {
            do throws(SystemError) {
                return try ListeningSockets(address, port)
            } catch {
                // A second daemon of this machine, or any other program, has the port.
                guard error.number == EADDRINUSE else { throw error }
            }
        }
        return try ListeningSockets(address, 0)
    }
}
