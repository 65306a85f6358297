import Diagnosis
import Discovery
import LinuxPlatform

/// The network interfaces of this machine, and those that can reach other machines.
struct InterfaceLook: Sendable {
    let all: [NetworkInterface]
    let usable: [NetworkInterface]
    let facts: InterfaceFacts

    init(allowedBy choice: InterfaceChoice) {
        let found = (try? NetworkInterface.all()) ?? []
        let described = found.map { interface in
            InterfaceFacts.Interface(
                interface.name,
                isRunning: interface.isRunning,
                isLoopback: interface.isLoopback,
                takesMulticast: interface.takesMulticast,
                isPointToPoint: interface.isPointToPoint,
                hasAddress: !interface.addresses.isEmpty,
                isAllowed: choice.allows(interface.name),
                isContainer: !InterfaceChoice.standard.allows(interface.name)
            )
        }
        all = found
        usable = zip(found, described).filter(\.1.isUsable).map(\.0)
        facts = InterfaceFacts(described)
    }

    /// The name of the VPN on which this machine has an address; nil if the address is on no VPN.
    func vpn(with own: IPAddress) -> String? {
        zip(all, facts.interfaces).first { $0.addresses.contains(own) && $1.isVPN }?.0.name
    }

    /// The index of the interface that reaches an address without a router; nil if there is none. Addresses in a
    /// household's network share their first three bytes, or the first half of an IPv6 address.
    func link(to address: IPAddress) -> UInt32? {
        if case .v6(_, _, let interface) = address, interface != 0 { return interface }
        let count = address.bytes.count == 4 ? 3 : 8
        return usable.first { interface in
            interface.addresses.contains {
                $0.bytes.count == address.bytes.count && $0.bytes.prefix(count) == address.bytes.prefix(count)
            }
        }?.index
    }
}
