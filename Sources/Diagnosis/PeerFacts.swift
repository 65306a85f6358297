package import Vocabulary

/// Another machine, as far as this one knows it and can reach it now.
package struct PeerFacts: Facts, Hashable {
    package enum Connection: Hashable, Sendable {
        case untried
        case answered
        /// The machine is there and nobody listens.
        case refused
        case silent
    }

    package var name: InstanceName?
    package let id: PeerID
    package var isPinned = false
    package var policy: Policy = .ask
    /// Whether it waits to be let in.
    package var waits = false
    /// Whether it is advertised on the network.
    package var isSeen = false
    package var connection = Connection.untried
    /// Whether this machine is on no network itself.
    package var isCutOff = false
    /// Whether nothing can be seen from here, as no avahi-daemon answers.
    package var isBlind = false
    /// Where that was tried, as it is shown.
    package var address: String?

    package init(_ id: PeerID, _ name: InstanceName?) {
        (self.id, self.name) = (id, name)
    }

    /// As it is shown; never in a command.
    package var words: String { name.map { "\($0) (\(id.short))" } ?? id.short }

    private var place: String { address.map { " at \($0)" } ?? "" }

    package var findings: [Finding] {
        if policy == .block { return [isBlocked] }
        if waits { return [isWaiting] }
        if isPinned || isSeen && (connection == .silent || connection == .refused) { return [reach] }
        return isSeen ? [isStrange] : []
    }

    private var isBlocked: Finding {
        .warning(
            .peers,
            "\(words) is blocked here",
            why: "it gets no answer from this machine, which looks to it as if nobody sat here",
            mend: ["huddle unblock \(id.short)"]
        )
    }

    private var isWaiting: Finding {
        .warning(
            .peers,
            "\(words) wants to pair",
            why: "no one has answered it yet; type the code that it shows",
            mend: ["huddle pair \(id.short)"]
        )
    }

    private var isStrange: Finding {
        .warning(
            .peers,
            "\(words) is online and not paired",
            why: "two machines exchange nothing before a person has typed the code of one on the other",
            mend: ["huddle pair \(id.short)", "huddle pair    # on the other machine, too"]
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
        case .answered: return .well(.peers, "\(words) answers\(place)\(unseen)")
        case .untried: return .well(.peers, "\(words) is known, and not there now")
        case .refused where !isSeen, .silent where !isSeen: return .well(.peers, "\(words) is known, and not there now")
        case .refused:
            return .fault(
                .peers,
                "\(words) is seen, but its port\(place) is closed",
                why: "its daemon has ended without a goodbye, or a firewall over there refuses",
                mend: ["huddle doctor    # on the other machine"]
            )
        case .silent:
            return .fault(
                .peers,
                "\(words) is seen, but nothing comes back from\(place.isEmpty ? " it" : place.replacing(" at", with: ""))",
                why: "a firewall over there swallows it, or the access point keeps its clients apart",
                mend: ["huddle doctor    # on the other machine, which names its firewall and what opens the port"]
            )
        }
    }
}
