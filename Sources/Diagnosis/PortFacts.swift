import Vocabulary

/// The daemon's port, as far as this machine can test it.
package struct PortFacts: Facts, Hashable {
    /// An address of this machine, printable.
    package struct Address: Hashable, Sendable {
        package let text: String
        package let interface: String
        package let takesConnections: Bool

        package init(_ text: String, on interface: String, takesConnections: Bool) {
            (self.text, self.interface, self.takesConnections) = (text, interface, takesConnections)
        }
    }

    package let port: UInt16
    package let addresses: [Address]
    package let firewall: Firewall
    /// Number of incoming connections since the daemon's start; nil if it is unknown.
    package let arrivals: Int?

    /// True if this machine has no network.
    package let isCutOff: Bool

    package init(
        port: UInt16,
        addresses: [Address],
        firewall: Firewall,
        arrivals: Int?,
        isCutOff: Bool = false
    ) {
        (self.port, self.addresses) = (port, addresses)
        (self.firewall, self.arrivals, self.isCutOff) = (firewall, arrivals, isCutOff)
    }

    package var findings: [Finding] {
        guard port != 0 else {
            return [
                .warning(
                    .port,
                    "the daemon has no open port",
                    why: "this machine can connect to others, but they can't connect to it",
                    fix: ["huddle config show"]
                )
            ]
        }
        let closed = addresses.filter { !$0.takesConnections }
        if !closed.isEmpty { return [isClosed(closed)] }
        if let arrivals, arrivals > 0 {
            return [.well(.port, "port \(port) is open: peers came in \(arrivals) time\(arrivals == 1 ? "" : "s")")]
        }
        if isCutOff {
            return [.well(.port, "port \(port) is the daemon's; without a network, no other machine can test it")]
        }
        if let name = firewall.name { return [mayBeClosed(by: name)] }
        let words = addresses.isEmpty ? "is the daemon's" : "takes connections on \(Self.list(addresses))"
        return [.well(.port, "port \(port) \(words); doctor on another machine shows how it looks from there")]
    }

    private func isClosed(_ closed: [Address]) -> Finding {
        let isAll = closed.count == addresses.count
        return .fault(
            .port,
            "port \(port) takes no connections on \(Self.list(closed))",
            why: isAll
                ? "the daemon listens on the loopback only (“address” in its settings), or a firewall closes the port"
                : "the daemon listens on one address only (“address” in its settings), or a firewall closes the port",
            fix: ["huddle config show"] + firewall.commands(for: port)
        )
    }

    private func mayBeClosed(by name: String) -> Finding {
        .warning(
            .port,
            "\(name) is on and may close port \(port)",
            why:
                "whether it lets port \(port) through is unknown, and no machine has connected since the start",
            fix: firewall.commands(for: port) + firewall.commandsForDiscovery
        )
    }

    private static func list(_ addresses: [Address]) -> String {
        addresses.map { "\($0.text) (\($0.interface))" }.joined(separator: ", ")
    }
}
