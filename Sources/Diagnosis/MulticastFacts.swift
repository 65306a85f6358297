import Vocabulary

/// What came of calling into the room over one interface.
package struct MulticastFacts: Facts, Hashable {
    package let interface: String
    /// What kept the call from being sent.
    package let sendingFailed: String?
    /// Whether this machine's own responder heard it and answered.
    package let ownAnswered: Bool
    /// Other machines that were heard.
    package let heard: Int
    /// Peers that are reached by their address over this interface, and were not heard, as they are shown.
    package let unheardPeers: [String]
    /// Whether this machine has a responder that could answer.
    package let hasResponder: Bool
    /// Whether the network has given it an address, and not only the machine itself.
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
                "nobody else was heard on \(name)",
                why: "either no other machine there speaks mDNS now, or the network keeps multicast from passing; "
                    + "with huddle running on another machine, doctor there tells which",
                mend: ["huddle doctor    # on the other machine, too"]
            )
        ]
    }

    private func notSent(_ reason: String) -> Finding {
        .fault(
            .multicast,
            "multicast can't be sent on \(name): \(reason)",
            why: "machines find each other by calling into the whole network",
            mend: [
                "ip route show table all type multicast", "sudo ip link set dev \(ShellWord(interface)) multicast on",
            ]
        )
    }

    private var isHomeless: Finding {
        .fault(
            .multicast,
            "the network on \(name) has given this machine no address, and nobody is heard there",
            why: "the cable or Wi-Fi is there, and nobody hands out addresses (DHCP): the router is off, or the "
                + "connection has not come about"
                + (firewall.name == nil
                    ? "" : "; on a cable that leads to another machine, a firewall here drops mDNS (UDP port 5353)"),
            mend: ["sudo nmcli device connect \(ShellWord(interface))", "ip -brief address"]
                + firewall.commandsForDiscovery
        )
    }

    private var unheardHere: Finding {
        .fault(
            .multicast,
            "what is called into the network on \(name) does not come back, not even from this machine's own avahi-daemon",
            why: "a firewall here drops mDNS (UDP port 5353), or avahi-daemon is told not to use \(name)",
            mend: firewall.commandsForDiscovery
                + ["grep -nE 'interfaces|use-ipv' /etc/avahi/avahi-daemon.conf"]
        )
    }

    private var blockedOnTheWay: Finding {
        .fault(
            .multicast,
            "multicast does not pass on \(name): \(unheardPeers.joined(separator: ", ")) can be reached but is not heard",
            why:
                "avahi-daemon does not run over there, or something drops multicast: an access point that keeps its clients "
                + "apart, a switch with IGMP snooping, a guest network, or a firewall over there; allow multicast (mDNS, 224.0.0.251 and UDP port 5353) in its settings. Until then type addresses",
            mend: ["huddle invite HOST:PORT", "huddle doctor    # on the other machine, too"]
        )
    }
}
