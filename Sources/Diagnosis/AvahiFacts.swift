import Vocabulary

/// What speaks DNS-SD on this machine, and under which name.
package struct AvahiFacts: Facts, Hashable {
    package enum State: String, Sendable {
        case noBus
        case noDaemon
        case refused
        /// It took the question and did not answer in time.
        case silent
        case answers
    }

    package let state: State
    /// What a service of this machine was seen under; nil where none was.
    package let nameInUse: String?
    /// What this machine is called.
    package let ownName: String
    /// Other machines that are seen under that name, by their addresses.
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
                    mend: ["sudo systemctl start dbus", "sudo systemctl start avahi-daemon"]
                )
            ]
        case .noDaemon:
            [
                .fault(
                    .avahi,
                    "avahi-daemon does not run",
                    why: "it is what lets machines find each other; where it is missing, apt install avahi-daemon",
                    mend: ["sudo systemctl enable --now avahi-daemon"]
                )
            ]
        case .refused:
            [
                .fault(
                    .avahi,
                    "avahi-daemon refuses to help",
                    why:
                        "it may have too many clients or objects, or a policy of the bus forbids it; its log says which",
                    mend: ["journalctl -u avahi-daemon -n 20", "sudo systemctl restart avahi-daemon"]
                )
            ]
        case .silent:
            [
                .fault(
                    .avahi,
                    "avahi-daemon does not answer",
                    why: "it runs, but said nothing for seconds; it may be stopped or overloaded",
                    mend: ["sudo systemctl restart avahi-daemon"]
                )
            ]
        case .answers: [answer, naming].compactMap(\.self)
        }
    }

    private var answer: Finding {
        if let nameInUse {
            return .well(.avahi, "avahi-daemon answers; this machine is \(PrintableText(nameInUse)) to others")
        }
        return .warning(
            .avahi,
            "avahi-daemon answers, but a service of this machine was not seen",
            why:
                "what is advertised here may not be published: publishing may be switched off, or no interface is usable",
            mend: ["grep -n publish /etc/avahi/avahi-daemon.conf", "sudo systemctl restart avahi-daemon"]
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
                why: "avahi-daemon calls this one \(PrintableText(used)) for as long as the other is there; "
                    + "which of them has the name may change, and names typed by hand lead to the one or the other",
                mend: ["sudo hostnamectl set-hostname NEW-NAME", "sudo systemctl restart avahi-daemon"]
            )
        }
        return .well(.hostName, "no other machine is called \(PrintableText(wanted))")
    }

    /// What stands before the first point, as DNS compares it.
    private static func label(_ name: String) -> String {
        String(name.lowercased().prefix { $0 != "." })
    }

    /// Avahi appends a hyphen and a number to a name that is taken.
    private static func isStandIn(_ used: String, for wanted: String) -> Bool {
        guard !wanted.isEmpty, used.hasPrefix("\(wanted)-") else { return false }
        return Int(used.dropFirst(wanted.count + 1)).map { $0 >= 2 } ?? false
    }
}
