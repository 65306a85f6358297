import Glibc
import Ledger
import LinuxPlatform
import Transport

/// Where a node hears others: the same port for connections and for datagrams.
@Engine
struct Ear {
    let listener: LaneListener
    let datagrams: DatagramPort

    init(_ address: IPAddress?, _ port: UInt16) throws(SystemError) {
        listener =
            if let address {
                try LaneListener(on: SocketAddress(address, port: port), loop: Engine.loop)
            } else {
                try .everywhere(port: port, loop: Engine.loop)
            }
        datagrams = try DatagramPort(on: listener.address)
    }

    /// Nil where the node takes no connections.
    static func open(_ configuration: NodeConfiguration, _ ledger: Ledger) async throws -> Ear? {
        guard let port = configuration.port else { return nil }
        guard configuration.keepsPort else { return try Ear(configuration.address, port) }
        let kept = try await ledger.port()
        let ear = try first(of: [kept, port].compactMap(\.self), configuration.address)
        // Firewalls and typed addresses count on it, so it is the first choice of the next life, too.
        if ear.listener.port != kept { try await ledger.keepPort(ear.listener.port) }
        return ear
    }

    private static func first(of ports: [UInt16], _ address: IPAddress?) throws -> Ear {
        for port in ports {
            do throws(SystemError) {
                return try Ear(address, port)
            } catch {
                // A second daemon of this machine, or any other program, has it.
                guard error.number == EADDRINUSE else { throw error }
            }
        }
        return try Ear(address, 0)
    }
}
