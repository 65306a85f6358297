package import Vocabulary

/// Another machine: its pairing and its reachability.
package struct PeerFacts: Facts, Hashable {
    package enum Connection: Hashable, Sendable {
        case untried
        case answered
        /// The machine runs, and no program listens on the port.
        case refused
        case silent
    }

    package var name: InstanceName?
    package let id: PeerID
    package var isPinned = false
    package var policy: Policy = .ask
    /// True if its invitation waits for an answer.
    package var waits = false
    /// True if it is advertised on the network.
    package var isSeen = false
    package var connection = Connection.untried
    /// True if this machine has no network.
    package var isCutOff = false
    /// True if no avahi-daemon answers, so that no machine can be seen.
    package var isBlind = false
    /// The tried address, printable.
    package var address: String?
    /// The interface of the VPN over which it answered; nil if it answered over none.
    package var vpn: String?

    package init(_ id: PeerID, _ name: InstanceName?) {
        (self.id, self.name) = (id, name)
    }

    /// Printable name; never used in a command.
    package var words: String { name.map { "\($0) (\(id.short))" } ?? id.short }

    private var place: String { address.map { " at \($0)" } ?? "" }

    package var findings: [Finding] {
        if policy == .block { return [isBlocked] }
        if waits { return [isWaiting] }
        if isPinned || isSeen && (connection == .silent || connection == .refused) { return [reach] }
        return isSeen ? [isStrange] : []
    }

    private var way: String { vpn.map { " over the VPN \($0)" } ?? "" }

    private var isBlocked: Finding {
        .warning(
            .peers,
            "\(words) is blocked here",
            why: "it gets no answer from this machine, which looks offline to it",
            fix: ["huddle unblock \(id.short)"]
        )
    }

    private var isWaiting: Finding {
        .warning(
            .peers,
            "\(words) wants to pair",
            why: "no one has answered it yet; type the code that it shows",
            fix: ["huddle pair \(id.short)"]
        )
    }

    private var isStrange: Finding {
        .warning(
            .peers,
            "\(words) is online and not paired",
            why: "two machines exchange nothing before the user has typed the code of one on the other",
            fix: ["huddle pair \(id.short)", "huddle pair    # on the other machine, too"]
        )
    }

    private var unseen: String {
        if isSeen { return "" }
        return isBlind ? "; it is not seen, as no avahi-daemon answers on this machine" : ", though it is not seen"
    }

    private var reach: Finding {
        if isCutOff, connection == .silent || connection == .refused {
            return .well(.peers, "\(words) can't be reached while this machine is on no network")
        }
        switch connection {
        case .answered: return .well(.peers, "\(words) answers\(place)\(way)\(unseen)")
        case .untried: return .well(.peers, "\(words) is paired and offline")
        case .refused where !isSeen, .silent where !isSeen: return .well(.peers, "\(words) is paired and offline")
        case .refused:
            return .fault(
                .peers,
                "\(words) is seen, but its port\(place) is closed",
                why: "its daemon ended without a goodbye, or a firewall on that machine refuses",
                fix: ["huddle doctor    # on the other machine"]
            )
        case .silent:
            return .fault(
                .peers,
                "\(words) is seen, but no answer comes from\(place.isEmpty ? " it" : place.replacing(" at", with: ""))",
                why: "a firewall on that machine drops the connection, or the access point separates its clients",
                fix: ["huddle doctor    # on the other machine, which names its firewall and the command for the port"]
            )
        }
    }
}
