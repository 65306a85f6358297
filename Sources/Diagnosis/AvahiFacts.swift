import Vocabulary

/// The DNS-SD service of this machine, and its host name.
package struct AvahiFacts: Facts, Hashable {
    package enum State: String, Sendable {
        case noBus
        case noDaemon
        case refused
        /// It did not answer a query in time.
        case silent
        case answers
    }

    package let state: State
    /// Host name under which a test service was seen; nil if it was not.
    package let nameInUse: String?
    /// The host name of this machine.
    package let ownName: String
    /// Addresses of other machines with that name.
    package let namesakes: [String]

    package init(state: State, nameInUse: String?, ownName: String, namesakes: [String] = []) {
        (self.state, self.nameInUse, self.ownName, self.namesakes) = (state, nameInUse, ownName, namesakes)
    }

    package var findings: [Finding] {
        switch state {
        case .noBus:
            [
                .fault(
                    .avahi,
                    "no D-Bus system bus answers",
                    why: "avahi-daemon needs it, and without avahi-daemon machines don't find each other",
                    fix: ["sudo systemctl start dbus", "sudo systemctl start avahi-daemon"]
                )
            ]
        case .noDaemon:
            [
                .fault(
                    .avahi,
                    "avahi-daemon does not run",
                    why: "machines find each other through it; if it is missing, apt install avahi-daemon",
                    fix: ["sudo systemctl enable --now avahi-daemon"]
                )
            ]
        case .refused:
            [
                .fault(
                    .avahi,
                    "avahi-daemon refuses requests",
                    why:
                        "it may have too many clients or objects, or a policy of the bus forbids it; see its log",
                    fix: ["journalctl -u avahi-daemon -n 20", "sudo systemctl restart avahi-daemon"]
                )
            ]
        case .silent:
            [
                .fault(
                    .avahi,
                    "avahi-daemon does not answer",
                    why: "it runs, but did not answer for seconds; it may be stopped or overloaded",
                    fix: ["sudo systemctl restart avahi-daemon"]
                )
            ]
        case .answers: [answer, naming].compactMap(\.self)
        }
    }

    private var answer: Finding {
        if let nameInUse {
            return .well(.avahi, "avahi-daemon answers; other machines see this one as \(PrintableText(nameInUse))")
        }
        return .warning(
            .avahi,
            "avahi-daemon answers, but a service of this machine was not seen",
            why:
                "publishing may be switched off, or no interface is usable",
            fix: ["grep -n publish /etc/avahi/avahi-daemon.conf", "sudo systemctl restart avahi-daemon"]
        )
    }

    private var naming: Finding? {
        guard let nameInUse else { return nil }
        let used = Self.label(nameInUse)
        let wanted = Self.label(ownName)
        let others = namesakes.map { "\(PrintableText($0))" }.joined(separator: ", ")
        let place = namesakes.isEmpty ? "" : " (at \(others))"
        if Self.isStandIn(used, for: wanted) || !namesakes.isEmpty {
            return .fault(
                .hostName,
                "two machines are called \(PrintableText(wanted))\(place)",
                why: "avahi-daemon names this one \(PrintableText(used)) while the other is online; "
                    + "the name may move between them, and a typed name may reach either",
                fix: ["sudo hostnamectl set-hostname NEW-NAME", "sudo systemctl restart avahi-daemon"]
            )
        }
        return .well(.hostName, "no other machine is called \(PrintableText(wanted))")
    }

    /// The host name up to the first dot, compared as in DNS.
    private static func label(_ name: String) -> String {
        String(name.lowercased().prefix { $0 != "." })
    }

    /// True if Avahi appended a hyphen and a number because the name was taken.
    private static func isStandIn(_ used: String, for wanted: String) -> Bool {
        guard !wanted.isEmpty, used.hasPrefix("\(wanted)-") else { return false }
        return Int(used.dropFirst(wanted.count + 1)).map { $0 >= 2 } ?? false
    }
}
