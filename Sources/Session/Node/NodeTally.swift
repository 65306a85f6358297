import SessionRules
import Transport

/// Counts of a node since it was opened.
public struct NodeTally: Sendable {
    /// The transfers in one direction.
    public struct Transfers: Hashable, Sendable {
        /// The transfers that are running now.
        public internal(set) var running = 0
        /// The transfers that arrived whole.
        public private(set) var done = 0
        /// The transfers that were refused or cancelled, or that failed.
        public private(set) var failed = 0

        mutating func ended(_ outcome: TransferOutcome) {
            if outcome == .stored { done += 1 } else { failed += 1 }
        }
    }

    /// Bytes on channels of one kind, without TLS overhead and handshakes.
    public struct Traffic: Hashable, Sendable {
        /// The received bytes.
        public private(set) var received: UInt64 = 0
        /// The sent bytes.
        public private(set) var sent: UInt64 = 0
        /// The channels that are open now.
        public private(set) var channels = 0

        init() {}

        init(_ traffic: ChannelTraffic) {
            (received, sent, channels) = (traffic.received, traffic.sent, traffic.openChannels)
        }
    }

    /// Links that peers dialled, with a proven key.
    public internal(set) var linksAccepted = 0
    /// Links that this side dialled.
    public internal(set) var linksDialled = 0
    /// Connections that were refused: too many at once, or from one address.
    public internal(set) var arrivalsRefused = 0
    /// Connections from outside without a result: no peer, another version, or an end before the handshake.
    public internal(set) var greetingsFailed = 0
    /// Transfers to peers.
    public internal(set) var sending = Transfers()
    /// Transfers from peers.
    public internal(set) var receiving = Transfers()
    /// The present links.
    public internal(set) var links = 0
    /// The present sessions.
    public internal(set) var sessions = 0

    /// Bytes on links: messages and control frames.
    public internal(set) var control = Traffic()
    /// Bytes of streams.
    public internal(set) var streams = Traffic()
    /// Bytes of files and folders.
    public internal(set) var resources = Traffic()
}

/// Counters of the bytes on channels of each kind.
struct NodeTraffic: Sendable {
    let control = ChannelTraffic()
    let streams = ChannelTraffic()
    let resources = ChannelTraffic()
}
