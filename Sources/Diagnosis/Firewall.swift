/// The firewall that may block ports of this machine, as far as a user can see it.
package enum Firewall: Hashable, Sendable {
    case none
    /// No visible firewall; only root can read the rules of the kernel.
    case unread
    case ufw
    case firewalld
    /// Rules of the kernel that refuse connections without a rule.
    case nftables

    /// - Parameters:
    ///   - ufwSettings: the text of ufw's settings, if it is installed
    ///   - hasFirewalld: true if firewalld runs
    ///   - rules: all rules of the kernel, if they are readable
    package init(ufwSettings: String?, hasFirewalld: Bool, rules: String?) {
        let isOn = ufwSettings?.split(separator: "\n").contains { line in
            line.lowercased().filter { $0 != " " }.hasPrefix("enabled=yes")
        }
        self =
            if isOn == true {
                .ufw
            } else if hasFirewalld {
                .firewalld
            } else if let rules, Self.turnsAway(rules) {
                .nftables
            } else {
                rules == nil ? .unread : .none
            }
    }

    /// True if an input chain drops packets that no rule accepts.
    private static func turnsAway(_ rules: String) -> Bool {
        var isInput = false
        for line in rules.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }
            if words.first == "chain" { isInput = false }
            if words.contains("hook") { isInput = words.contains("input") }
            guard isInput else { continue }
            if words.contains("policy"), words.contains("drop") { return true }
            // A last rule without a condition has the same effect.
            if let first = words.first, first == "drop" || first == "reject" { return true }
        }
        return false
    }

    package var name: String? {
        switch self {
        case .none, .unread: nil
        case .ufw: "ufw"
        case .firewalld: "firewalld"
        case .nftables: "nftables"
        }
    }

    /// Commands that open mDNS.
    package var commandsForDiscovery: [String] {
        switch self {
        case .none: []
        case .unread: ["sudo huddle doctor    # sees the rules of nftables, too"]
        case .ufw: ["sudo ufw allow 5353/udp"]
        case .firewalld: ["sudo firewall-cmd --permanent --add-service=mdns", "sudo firewall-cmd --reload"]
        case .nftables: ["sudo nft insert rule inet filter input udp dport 5353 accept"]
        }
    }

    /// Commands that open a port.
    package func commands(for port: UInt16) -> [String] {
        switch self {
        case .none, .unread: []
        case .ufw: ["sudo ufw allow \(port)/tcp", "sudo ufw allow \(port)/udp"]
        case .firewalld:
            [
                "sudo firewall-cmd --permanent --add-port=\(port)/tcp --add-port=\(port)/udp",
                "sudo firewall-cmd --reload",
            ]
        case .nftables:
            [
                "sudo nft insert rule inet filter input tcp dport \(port) accept",
                "sudo nft insert rule inet filter input udp dport \(port) accept",
            ]
        }
    }
}
