public import LinuxPlatform
public import Vocabulary

/// A peer as discovery knows it: where it can be reached and what it says of itself. Nothing of this is proven.
public struct FoundPeer: Hashable, Sendable {
    /// How a peer came to be known.
    public enum Origin: Hashable, Sendable {
        /// It advertises itself under this name.
        case advertised(InstanceName)
        /// A person typed where it is.
        case typed(HostAndPort)

        /// Whether it advertises itself.
        public var isAdvertised: Bool {
            if case .advertised = self { return true }
            return false
        }
    }

    /// Whether the peer is there.
    public enum State: Hashable, Sendable {
        /// It is advertised, or answered when asked.
        case present
        /// It has not said goodbye, but can't be reached; it is lost unless it comes back soon.
        case unreachable(Unreachability)
    }

    /// Why a peer can't be reached.
    public enum Unreachability: String, Hashable, Sendable {
        /// All links over which it was seen are down on this machine.
        case linkDown = "link-down"
        /// It answers nothing: its cable may be cut, or the machine asleep.
        case notAnswering = "not-answering"
        /// The machine is there, but nobody listens on the port that was typed.
        case refused
        /// This machine's own Avahi has been away for long, so that nobody knows.
        case avahiAway = "avahi-away"
    }

    /// How the peer is known; unique within a browser.
    public let origin: Origin

    /// Whether it is there.
    public internal(set) var state: State

    /// The name of its machine, without a final dot, fit to print.
    public internal(set) var hostName: String

    /// The port that it listens on.
    public internal(set) var port: UInt16

    /// Where it can be reached, the best address first.
    public internal(set) var addresses: [SocketAddress]

    /// What it says of itself.
    public internal(set) var txt: TXTRecord

    /// The interfaces of this machine over which it is seen, by name.
    public internal(set) var interfaces: [String]

    /// What to call it when talking to a person; safe to print, and neither unique nor proof of anything.
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
        case .refused: "nobody listens on that port"
        case .avahiAway: "avahi-daemon is not running on this machine"
        }
    }
}
