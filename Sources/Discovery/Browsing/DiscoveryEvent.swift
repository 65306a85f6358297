public import Vocabulary

/// An event of a browser.
public enum DiscoveryEvent: Hashable, Sendable {
    /// A peer joined the list.
    case found(FoundPeer)
    /// A listed peer has other addresses, another port, other interfaces or another TXT record.
    case updated(FoundPeer)
    /// A listed or typed peer can't be reached; its `state` has the reason. It is lost unless it returns soon.
    case unreachable(FoundPeer)
    /// An unreachable peer is reachable again.
    case returned(FoundPeer)
    /// A peer has left the list.
    case lost(FoundPeer, LossReason)
    /// A notice about discovery itself.
    case notice(DiscoveryNotice)
}

/// Reason why a peer left the list.
public enum LossReason: String, Hashable, Sendable, CustomStringConvertible {
    /// It said goodbye, or its record ran out.
    case goodbye
    /// It could not be reached for too long.
    case unreachable
    /// It has another name now.
    case renamed
    /// It was not found again after avahi-daemon's restart.
    case notFoundAgain = "not-found-again"
    /// The user removed it.
    case removed
    /// More services than the limit are on the network, and newer ones replaced it.
    case crowdedOut = "crowded-out"

    /// The reason in words.
    public var description: String {
        switch self {
        case .goodbye: "it said goodbye"
        case .unreachable: "it could not be reached for too long"
        case .renamed: "it goes by another name now"
        case .notFoundAgain: "it was not found again after avahi-daemon restarted"
        case .removed: "it was taken off the list"
        case .crowdedOut: "more services are on the network than are followed"
        }
    }
}

/// A change of discovery itself.
public enum DiscoveryNotice: Hashable, Sendable {
    /// Avahi does not run: nothing can be seen or advertised until it starts.
    case waitingForAvahi(AvahiAbsence)
    /// Avahi answers.
    case avahiIsThere
    /// A network interface appeared or its link is up.
    case interfaceAppeared(String)
    /// A network interface disappeared or its link is down.
    case interfaceVanished(String)
    /// A service on the network breaks the rules and is skipped; the texts are printable.
    case ignored(name: PrintableText, because: String)
    /// More services are on the network than are followed.
    case tooManyServices(limit: Int)
    /// The reader was slow and missed this many notices; the list of peers is complete.
    case missed(Int)
}

/// Reason why Avahi can't be used.
public enum AvahiAbsence: String, Hashable, Sendable {
    /// No D-Bus system bus answers.
    case noBus = "no-bus"
    /// The bus runs, but avahi-daemon does not.
    case noDaemon = "no-daemon"
    /// Avahi refused: too many clients or objects, or a policy.
    case refused
}

extension DiscoveryNotice: CustomStringConvertible {
    /// One sentence, with a next step if there is one.
    public var description: String {
        switch self {
        case .waitingForAvahi(let absence): absence.description
        case .avahiIsThere: "avahi-daemon answers"
        case .interfaceAppeared(let name): "network interface \(name) is up"
        case .interfaceVanished(let name): "network interface \(name) is down"
        case .ignored(let name, let reason): "left out “\(name)”: \(reason)"
        case .tooManyServices(let limit): "more than \(limit) services are on the network; the rest is left out"
        case .missed(let count): "\(count) notices were missed"
        }
    }
}

extension AvahiAbsence: CustomStringConvertible {
    /// The reason and the next step.
    public var description: String {
        switch self {
        case .noBus: "no D-Bus system bus answers: start it with “systemctl start dbus”; waiting for it"
        case .noDaemon: "avahi-daemon does not run: start it with “systemctl start avahi-daemon”; waiting for it"
        case .refused: "avahi-daemon refuses: see “journalctl -u avahi-daemon”; trying again"
        }
    }
}
