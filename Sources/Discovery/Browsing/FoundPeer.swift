public import LinuxPlatform
public import Vocabulary

/// A peer that discovery has found: its addresses and its TXT record. None of this is proven.
public struct FoundPeer: Hashable, Sendable {
    /// Source of a peer.
    public enum Origin: Hashable, Sendable {
        /// It advertises itself under this name.
        case advertised(InstanceName)
        /// The user typed this address.
        case typed(HostAndPort)

        /// True for a peer that advertises itself.
        public var isAdvertised: Bool {
            if case .advertised = self { return true }
            return false
        }
    }

    /// Reachability of a peer.
    public enum State: Hashable, Sendable {
        /// It is advertised, or answered a probe.
        case present
        /// It has not said goodbye, but can't be reached; it is lost unless it returns soon.
        case unreachable(Unreachability)
    }

    /// Reason why a peer can't be reached.
    public enum Unreachability: String, Hashable, Sendable {
        /// All links over which it was seen are down on this machine.
        case linkDown = "link-down"
        /// It answers nothing: its cable may be cut, or the machine asleep.
        case notAnswering = "not-answering"
        /// The machine runs, but no program listens on the typed port.
        case refused
        /// Avahi on this machine has not run for long, so the state is unknown.
        case avahiAway = "avahi-away"
    }

    /// Unique within a browser.
    public let origin: Origin

    /// Reachability of the peer.
    public internal(set) var state: State

    /// The host name of its machine, without a final dot, printable.
    public internal(set) var hostName: String

    /// The port of the service.
    public internal(set) var port: UInt16

    /// Socket addresses, the best one first.
    public internal(set) var addresses: [SocketAddress]

    /// The TXT record.
    public internal(set) var txt: TXTRecord

    /// Names of this machine's interfaces on which the peer is seen.
    public internal(set) var interfaces: [String]

    /// Name for users; printable, neither unique nor proof of anything.
    public var name: String {
        switch origin {
        case .advertised(let name): name.description
        case .typed(let address): address.description
        }
    }
}

extension FoundPeer.Unreachability: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .linkDown: "this machine's own link is down"
        case .notAnswering: "it does not answer"
        case .refused: "no program listens on that port"
        case .avahiAway: "avahi-daemon is not running on this machine"
        }
    }
}
