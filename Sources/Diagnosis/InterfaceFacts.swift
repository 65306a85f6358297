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
        /// Whether huddle is told to use it, and does so.
        package let isAllowed: Bool
        /// Whether containers or virtual machines have put it up.
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

        /// Whether others of the household may be behind it.
        package var isUsable: Bool {
            isRunning && !isLoopback && takesMulticast && hasAddress && isAllowed && !isVPN && !isContainer
        }

        /// Whether others might be behind it, were its cable or radio link there.
        var isUnplugged: Bool { !isRunning && !isLoopback && takesMulticast && isAllowed && !isVPN && !isContainer }

        /// VPNs don't carry what machines call into the room, whatever they say of themselves.
        package var isVPN: Bool {
            isPointToPoint
                || ["tun", "wg", "tailscale", "zt", "nordlynx", "proton", "ppp"].contains { name.hasPrefix($0) }
        }
    }

    package let interfaces: [Interface]

    package init(_ interfaces: [Interface]) {
        self.interfaces = interfaces
    }

    /// Whether this machine is on no network at all. A VPN is one, and so is one that huddle is told not to use.
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
                    why: "no interface but the loopback is up and has its cable or radio link",
                    mend: ["ip -brief address", "nmcli device status"]
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
                "\(Self.list(forbidden)) is up, but huddle is told not to use it",
                why: "“interfaces” or “exceptInterfaces” in the daemon's settings leaves it out",
                mend: ["huddle config show", "systemctl --user reload huddled"]
            )
        }
        let homeless = rest.filter { !$0.isVPN && !$0.isContainer }
        if let first = homeless.first {
            let lack = first.hasAddress ? "takes no multicast" : "has no address"
            let mend =
                first.hasAddress
                ? "sudo ip link set dev \(ShellWord(first.name)) multicast on"
                : "sudo nmcli device connect \(ShellWord(first.name))"
            return .fault(
                .interfaces,
                "\(PrintableText(first.name)) is up but \(lack)",
                why: "machines find each other by calling into the whole network, which takes both",
                mend: [mend]
            )
        }
        return .fault(
            .interfaces,
            "only \(Self.list(rest)) is up, where no other machine of the household can be found"
                + (unplugged.map { "; \($0)" } ?? ""),
            why: "bridges of containers lead nowhere, and VPNs carry no multicast; over a VPN, type the address: "
                + "`huddle invite HOST:PORT`",
            mend: ["nmcli device status"]
        )
    }

    /// What is not connected, so that nobody looks for a firewall.
    private var unplugged: String? {
        let unplugged = interfaces.filter(\.isUnplugged)
        if unplugged.isEmpty { return nil }
        return "\(Self.list(unplugged)) \(unplugged.count == 1 ? "is" : "are") without cable or Wi-Fi, or switched off"
    }

    private static func list(_ interfaces: [Interface]) -> String {
        interfaces.map { "\(PrintableText($0.name))" }.joined(separator: ", ")
    }
}
