import Vocabulary

/// Result of a multicast query on one interface.
package struct MulticastFacts: Facts, Hashable {
    package let interface: String
    /// The error of sending.
    package let sendingFailed: String?
    /// True if this machine's own responder answered.
    package let ownAnswered: Bool
    /// Other machines that answered.
    package let heard: Int
    /// Peers that are reachable by address on this interface but did not answer, printable.
    package let unheardPeers: [String]
    /// True if this machine has a responder that could answer.
    package let hasResponder: Bool
    /// True if the network assigned an address, not only the machine itself.
    package let hasGivenAddress: Bool
    package let firewall: Firewall

    package init(
        interface: String,
        sendingFailed: String? = nil,
        ownAnswered: Bool,
        heard: Int,
        unheardPeers: [String] = [],
        hasResponder: Bool = true,
        hasGivenAddress: Bool = true,
        firewall: Firewall = .none
    ) {
        (self.interface, self.sendingFailed, self.ownAnswered) = (interface, sendingFailed, ownAnswered)
        (self.heard, self.unheardPeers) = (heard, unheardPeers)
        (self.hasResponder, self.hasGivenAddress, self.firewall) = (hasResponder, hasGivenAddress, firewall)
    }

    private var name: String { "\(PrintableText(interface))" }

    package var findings: [Finding] {
        if let sendingFailed { return [notSent(sendingFailed)] }
        if hasResponder, !ownAnswered, heard == 0 { return [hasGivenAddress ? unheardHere : isHomeless] }
        if !unheardPeers.isEmpty { return [blockedOnTheWay] }
        guard heard == 0 else {
            return [.well(.multicast, "multicast passes on \(name): heard \(heard) other\(heard == 1 ? "" : "s")")]
        }
        return [
            .warning(
                .multicast,
                "no other machine was heard on \(name)",
                why: "either no other machine there speaks mDNS now, or the network blocks multicast; "
                    + "with huddle on another machine, doctor there shows which",
                fix: ["huddle doctor    # on the other machine, too"]
            )
        ]
    }

    private func notSent(_ reason: String) -> Finding {
        .fault(
            .multicast,
            "multicast can't be sent on \(name): \(reason)",
            why: "machines find each other by multicast",
            fix: [
                "ip route show table all type multicast", "sudo ip link set dev \(ShellWord(interface)) multicast on",
            ]
        )
    }

    private var isHomeless: Finding {
        .fault(
            .multicast,
            "the network on \(name) has assigned no address, and no machine is heard there",
            why: "the cable or Wi-Fi is connected, but no router assigns addresses (DHCP): it is off, or the "
                + "connection is incomplete"
                + (firewall.name == nil
                    ? "" : "; on a cable that leads to another machine, a firewall here drops mDNS (UDP port 5353)"),
            fix: ["sudo nmcli device connect \(ShellWord(interface))", "ip -brief address"]
                + firewall.commandsForDiscovery
        )
    }

    private var unheardHere: Finding {
        .fault(
            .multicast,
            "multicast on \(name) gets no answer, not even from this machine's own avahi-daemon",
            why: "a firewall here drops mDNS (UDP port 5353), or its settings exclude \(name)",
            fix: firewall.commandsForDiscovery
                + ["grep -nE 'interfaces|use-ipv' /etc/avahi/avahi-daemon.conf"]
        )
    }

    private var blockedOnTheWay: Finding {
        .fault(
            .multicast,
            "multicast does not pass on \(name): "
                + "\(unheardPeers.joined(separator: ", ")) can be reached but is not heard",
            why:
                "avahi-daemon does not run on that machine, or something drops multicast: an access point that "
                + "separates its clients, a switch with IGMP snooping, a guest network, or a firewall there; allow "
                + "multicast (mDNS, 224.0.0.251 and UDP port 5353) in its settings. Until then type addresses",
            fix: ["huddle invite HOST:PORT", "huddle doctor    # on the other machine, too"]
        )
    }
}
