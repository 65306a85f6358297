import Vocabulary

/// The network interfaces of this machine.
package struct InterfaceFacts: Facts, Hashable {
    package struct Interface: Hashable, Sendable {
        package let name: String
        package let isRunning: Bool
        package let isLoopback: Bool
        package let takesMulticast: Bool
        package let isPointToPoint: Bool
        package let hasAddress: Bool
        /// True if the settings permit the interface.
        package let isAllowed: Bool
        /// True for interfaces of containers or virtual machines.
        package let isContainer: Bool

        package init(
            _ name: String,
            isRunning: Bool = true,
            isLoopback: Bool = false,
            takesMulticast: Bool = true,
            isPointToPoint: Bool = false,
            hasAddress: Bool = true,
            isAllowed: Bool = true,
            isContainer: Bool = false
        ) {
            (self.name, self.isRunning, self.isLoopback) = (name, isRunning, isLoopback)
            (self.takesMulticast, self.isPointToPoint) = (takesMulticast, isPointToPoint)
            (self.hasAddress, self.isAllowed, self.isContainer) = (hasAddress, isAllowed, isContainer)
        }

        /// True if machines of the household may be behind it.
        package var isUsable: Bool {
            isRunning && !isLoopback && takesMulticast && hasAddress && isAllowed && !isVPN && !isContainer
        }

        /// True if machines might be behind it with a cable or radio link.
        var isUnplugged: Bool { !isRunning && !isLoopback && takesMulticast && isAllowed && !isVPN && !isContainer }

        /// True for a VPN: it carries no multicast, no matter what its flags say.
        package var isVPN: Bool {
            isPointToPoint
                || ["tun", "wg", "tailscale", "zt", "nordlynx", "proton", "ppp"].contains { name.hasPrefix($0) }
        }
    }

    package let interfaces: [Interface]

    package init(_ interfaces: [Interface]) {
        self.interfaces = interfaces
    }

    /// True if this machine has no network. A VPN counts as one, and so does one that the settings exclude.
    package var isCutOff: Bool {
        !interfaces.contains { $0.isRunning && $0.hasAddress && !$0.isLoopback && !$0.isContainer }
    }

    package var findings: [Finding] {
        let usable = interfaces.filter(\.isUsable)
        guard usable.isEmpty else {
            return [.well(.interfaces, "\(Self.list(usable)) \(usable.count == 1 ? "leads" : "lead") to the network")]
        }
        let rest = interfaces.filter { !$0.isLoopback && $0.isRunning }
        if rest.isEmpty {
            return [
                .fault(
                    .interfaces,
                    "no network is connected\(unplugged.map { ": \($0)" } ?? "")",
                    why: "no interface except the loopback is up with a cable or radio link",
                    fix: ["ip -brief address", "nmcli device status"]
                )
            ]
        }
        return [onlyUseless(rest)]
    }

    private func onlyUseless(_ rest: [Interface]) -> Finding {
        let forbidden = rest.filter { !$0.isAllowed && !$0.isContainer }
        if !forbidden.isEmpty {
            return .fault(
                .interfaces,
                "\(Self.list(forbidden)) is up, but the settings exclude it",
                why: "“interfaces” or “exceptInterfaces” in the daemon's settings excludes it",
                fix: ["huddle config show", "systemctl --user reload huddled"]
            )
        }
        let homeless = rest.filter { !$0.isVPN && !$0.isContainer }
        if let first = homeless.first {
            let fault = first.hasAddress ? "takes no multicast" : "has no address"
            let fix =
                first.hasAddress
                ? "sudo ip link set dev \(ShellWord(first.name)) multicast on"
                : "sudo nmcli device connect \(ShellWord(first.name))"
            return .fault(
                .interfaces,
                "\(PrintableText(first.name)) is up but \(fault)",
                why: "machines find each other by multicast, which needs both",
                fix: [fix]
            )
        }
        return .fault(
            .interfaces,
            "only \(Self.list(rest)) is up, which can't reach other machines of the household"
                + (unplugged.map { "; \($0)" } ?? ""),
            why: "bridges of containers reach no machine, and VPNs carry no multicast; over a VPN, type the address: "
                + "`huddle invite HOST:PORT`",
            fix: ["nmcli device status"]
        )
    }

    /// The disconnected interfaces, so that the user does not suspect a firewall.
    private var unplugged: String? {
        let unplugged = interfaces.filter(\.isUnplugged)
        if unplugged.isEmpty { return nil }
        return "\(Self.list(unplugged)) \(unplugged.count == 1 ? "is" : "are") without cable or Wi-Fi, or switched off"
    }

    private static func list(_ interfaces: [Interface]) -> String {
        interfaces.map { "\(PrintableText($0.name))" }.joined(separator: ", ")
    }
}
