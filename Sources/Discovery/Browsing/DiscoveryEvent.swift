public import Vocabulary

/// What a browser has to tell.
public enum DiscoveryEvent: Hashable, Sendable {
    /// A peer that was not in the list is there.
    case found(FoundPeer)
    /// Something about a peer in the list has changed: its addresses, port, interfaces or TXT record.
    case updated(FoundPeer)
    /// A peer can't be reached, one in the list or one that a person typed; its `state` says why. It is lost unless it comes back soon.
    case unreachable(FoundPeer)
    /// A peer that could not be reached is there again.
    case returned(FoundPeer)
    /// A peer has left the list.
    case lost(FoundPeer, LossReason)
    /// Something about discovery itself.
    case notice(DiscoveryNotice)
}

/// Why a peer left the list.
public enum LossReason: String, Hashable, Sendable, CustomStringConvertible {
    /// It said goodbye, or its record ran out.
    case goodbye
    /// It could not be reached for too long.
    case unreachable
    /// It goes by another name now.
    case renamed
    /// After avahi-daemon's restart it was not found again.
    case notFoundAgain = "not-found-again"
    /// The person who typed it took it back.
    case removed
    /// More services are on the network than are followed, and newer ones took its place.
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

/// What happened to discovery itself.
public enum DiscoveryNotice: Hashable, Sendable {
    /// Nothing can be seen or advertised until Avahi is there; everything goes on by itself then.
    case waitingForAvahi(AvahiAbsence)
    /// Avahi answers.
    case avahiIsThere
    /// A network interface has come.
    case interfaceAppeared(String)
    /// A network interface or its cable has gone.
    case interfaceVanished(String)
    /// A service on the network breaks the rules and is left out; the texts are fit to print.
    case ignored(name: PrintableText, because: String)
    /// More services are on the network than are followed.
    case tooManyServices(limit: Int)
    /// The reader was slow and missed this many notices; the list of peers is complete all the same.
    case missed(Int)
}

/// Why Avahi can't be used.
public enum AvahiAbsence: String, Hashable, Sendable {
    /// No D-Bus system bus answers.
    case noBus = "no-bus"
    /// The bus is there, but avahi-daemon does not run.
    case noDaemon = "no-daemon"
    /// Avahi has refused: too many clients or objects, or a policy.
    case refused
}

extension DiscoveryNotice: CustomStringConvertible {
    /// One sentence, with the next step where there is something to do.
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
    /// What is missing and what to do about it.
    public var description: String {
        switch self {
        case .noBus: "no D-Bus system bus answers: start it with “systemctl start dbus”; waiting for it"
        case .noDaemon: "avahi-daemon does not run: start it with “systemctl start avahi-daemon”; waiting for it"
        case .refused: "avahi-daemon refuses: see “journalctl -u avahi-daemon”; trying again"
        }
    }
}
