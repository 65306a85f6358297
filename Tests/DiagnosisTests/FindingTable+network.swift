import Diagnosis

extension FindingTable {
    static let network: [Case] = avahi + interfaces + multicast + port

    private static let avahi: [Case] = [
        Case(
            "no bus",
            AvahiFacts(state: .noBus, nameInUse: nil, ownName: "deck"),
            .fault(.avahi, "system bus", "sudo systemctl start dbus")
        ),
        Case(
            "no avahi-daemon",
            AvahiFacts(state: .noDaemon, nameInUse: nil, ownName: "deck"),
            .fault(.avahi, "does not run", "sudo systemctl enable --now avahi-daemon")
        ),
        Case(
            "an avahi-daemon that refuses",
            AvahiFacts(state: .refused, nameInUse: nil, ownName: "deck"),
            .fault(.avahi, "refuses", "sudo systemctl restart avahi-daemon")
        ),
        Case(
            "an avahi-daemon that hangs",
            AvahiFacts(state: .silent, nameInUse: nil, ownName: "deck"),
            .fault(.avahi, "does not answer", "sudo systemctl restart avahi-daemon")
        ),
        Case(
            "an avahi-daemon that publishes nothing",
            AvahiFacts(state: .answers, nameInUse: nil, ownName: "deck"),
            .warning(.avahi, "was not seen", "sudo systemctl restart avahi-daemon")
        ),
        Case(
            "an avahi-daemon that answers",
            AvahiFacts(state: .answers, nameInUse: "deck.local", ownName: "Deck"),
            .well(.avahi, "deck.local"),
            .well(.hostName, "no other")
        ),
        Case(
            "a name that was taken",
            AvahiFacts(state: .answers, nameInUse: "deck-2.local", ownName: "Deck"),
            .well(.avahi, "deck-2.local"),
            .fault(.hostName, "two machines are called deck", "sudo hostnamectl set-hostname NEW-NAME")
        ),
        Case(
            "a name with a number of its own",
            AvahiFacts(state: .answers, nameInUse: "deck-2.local", ownName: "deck-2"),
            .well(.avahi, "deck-2.local"),
            .well(.hostName, "deck-2")
        ),
        Case(
            "a namesake",
            AvahiFacts(state: .answers, nameInUse: "deck.local", ownName: "deck", namesakes: ["10.0.0.7"]),
            .well(.avahi, "deck.local"),
            .fault(.hostName, "(at 10.0.0.7)", "sudo hostnamectl set-hostname NEW-NAME")
        ),
    ]

    private static let loopback = InterfaceFacts.Interface("lo", isLoopback: true, takesMulticast: false)

    private static let interfaces: [Case] = [
        Case("a cable", InterfaceFacts([loopback, .init("eth0")]), .well(.interfaces, "eth0 leads")),
        Case(
            "a cable beside what containers and VPNs have",
            InterfaceFacts([.init("eth0"), .init("docker0", isContainer: true), .init("wg0", isPointToPoint: true)]),
            .well(.interfaces, "eth0 leads")
        ),
        Case("nothing", InterfaceFacts([loopback]), .fault(.interfaces, "no network", "nmcli device status")),
        Case(
            "an unplugged cable",
            InterfaceFacts([loopback, .init("eth0", isRunning: false)]),
            .fault(.interfaces, "no network is connected: eth0 is without cable", "nmcli device status")
        ),
        Case(
            "an unplugged cable beside Docker's bridge",
            InterfaceFacts([loopback, .init("eth0", isRunning: false), .init("docker0", isContainer: true)]),
            .fault(.interfaces, "household; eth0 is without cable", "nmcli device status")
        ),
        Case(
            "only Docker's bridge",
            InterfaceFacts([loopback, .init("docker0", isContainer: true)]),
            .fault(.interfaces, "only docker0", "nmcli device status")
        ),
        Case(
            "only a VPN, whatever it says of itself",
            InterfaceFacts([.init("tailscale0"), .init("tun0", isPointToPoint: true)]),
            .fault(.interfaces, "only tailscale0, tun0", "nmcli device status")
        ),
        Case(
            "only what huddle may not use",
            InterfaceFacts([.init("eth0", isAllowed: false)]),
            .fault(.interfaces, "the settings exclude it", "huddle config show")
        ),
        Case(
            "no address",
            InterfaceFacts([.init("eth0", hasAddress: false)]),
            .fault(.interfaces, "has no address", "sudo nmcli device connect eth0")
        ),
        Case(
            "no multicast",
            InterfaceFacts([.init("eth0", takesMulticast: false)]),
            .fault(.interfaces, "takes no multicast", "sudo ip link set dev eth0 multicast on")
        ),
    ]

    private static let multicast: [Case] = [
        Case(
            "multicast that passes",
            MulticastFacts(interface: "eth0", ownAnswered: true, heard: 2),
            .well(.multicast, "passes on eth0: heard 2 others")
        ),
        Case(
            "no other machine",
            MulticastFacts(interface: "eth0", ownAnswered: true, heard: 0),
            .warning(.multicast, "no other machine", "huddle doctor    # on the other machine, too")
        ),
        Case(
            "a call that can't be sent",
            MulticastFacts(interface: "eth0", sendingFailed: "No route to host", ownAnswered: false, heard: 0),
            .fault(.multicast, "can't be sent on eth0: No route", "sudo ip link set dev eth0 multicast on")
        ),
        Case(
            "a call that this machine itself does not hear",
            MulticastFacts(interface: "eth0", ownAnswered: false, heard: 0, firewall: .ufw),
            .fault(.multicast, "gets no answer", "sudo ufw allow 5353/udp")
        ),
        Case(
            "a network that gave no address, which is no firewall's doing",
            MulticastFacts(
                interface: "wlan0",
                ownAnswered: false,
                heard: 0,
                hasGivenAddress: false,
                firewall: .ufw
            ),
            .fault(.multicast, "has assigned no address", "sudo nmcli device connect wlan0")
        ),
        Case(
            "no responder here",
            MulticastFacts(interface: "eth0", ownAnswered: false, heard: 0, hasResponder: false),
            .warning(.multicast, "no other machine", "huddle doctor    # on the other machine, too")
        ),
        Case(
            "a peer that is reached and not heard",
            MulticastFacts(interface: "wlan0", ownAnswered: true, heard: 3, unheardPeers: ["Deck"]),
            .fault(.multicast, "does not pass on wlan0: Deck", "huddle invite HOST:PORT")
        ),
    ]

    private static let open = PortFacts.Address("10.0.0.2", on: "eth0", takesConnections: true)
    private static let closed = PortFacts.Address("10.0.0.2", on: "eth0", takesConnections: false)

    private static func port(
        _ addresses: [PortFacts.Address] = [open],
        _ firewall: Firewall = .none,
        arrivals: Int? = 0,
        isCutOff: Bool = false
    ) -> PortFacts {
        PortFacts(
            port: 4242,
            addresses: addresses,
            firewall: firewall,
            arrivals: arrivals,
            isCutOff: isCutOff
        )
    }

    private static let port: [Case] = [
        Case("a port that answers", port(), .well(.port, "port 4242 takes connections on 10.0.0.2")),
        Case("a port that peers came through", port([open], .ufw, arrivals: 3), .well(.port, "came in 3 times")),
        Case(
            "a port that is closed here already",
            port([closed]),
            .fault(.port, "takes no connections", "huddle config show")
        ),
        Case(
            "a firewall, and no network",
            port([], .ufw, isCutOff: true),
            .well(.port, "without a network")
        ),
        Case(
            "a firewall, and a network that is not tried, such as a VPN",
            port([], .ufw),
            .warning(.port, "ufw is on", "sudo ufw allow 4242/tcp")
        ),
        Case("a VPN and no firewall", port([]), .well(.port, "port 4242 is the daemon's; doctor on another")),
        Case("ufw", port([open], .ufw), .warning(.port, "ufw is on", "sudo ufw allow 4242/tcp")),
        Case(
            "firewalld",
            port([open], .firewalld, arrivals: nil),
            .warning(.port, "firewalld is on", "sudo firewall-cmd --reload")
        ),
        Case(
            "rules of the kernel's own",
            port([open], .nftables),
            .warning(.port, "nftables is on", "sudo nft insert rule inet filter input tcp dport 4242 accept")
        ),
        Case(
            "a daemon that listens nowhere",
            PortFacts(port: 0, addresses: [], firewall: .none, arrivals: nil),
            .warning(.port, "no open port", "huddle config show")
        ),
    ]
}
