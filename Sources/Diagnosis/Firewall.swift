/// What may keep others from this machine's ports, as far as a user can see it.
package enum Firewall: Hashable, Sendable {
    case none
    /// None that a user can see; the rules of the kernel only root can read.
    case unread
    case ufw
    case firewalld
    /// Rules of the kernel's own that turn away what they don't name.
    case nftables

    /// - Parameters:
    ///   - ufwSettings: the text of ufw's settings, where it is installed
    ///   - hasFirewalld: whether firewalld runs
    ///   - rules: all rules of the kernel, where they may be read
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

    /// Whether a chain for what comes in drops what no rule lets through.
    private static func turnsAway(_ rules: String) -> Bool {
        var isInput = false
        for line in rules.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }
            if words.first == "chain" { isInput = false }
            if words.contains("hook") { isInput = words.contains("input") }
            guard isInput else { continue }
            if words.contains("policy"), words.contains("drop") { return true }
            // A last rule without a condition does the same.
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

    /// What lets machines find this one.
    package var commandsForDiscovery: [String] {
        switch self {
        case .none: []
        case .unread: ["sudo huddle doctor    # sees the rules of nftables, too"]
        case .ufw: ["sudo ufw allow 5353/udp"]
        case .firewalld: ["sudo firewall-cmd --permanent --add-service=mdns", "sudo firewall-cmd --reload"]
        case .nftables: ["sudo nft insert rule inet filter input udp dport 5353 accept"]
        }
    }

    /// What lets peers come in at a port.
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
