import SessionRules
import Transport

/// What a node has done since it was opened, counted.
public struct NodeTally: Sendable {
    /// Files and folders on their way in one direction.
    public struct Transfers: Hashable, Sendable {
        /// Those under way now.
        public internal(set) var running = 0
        /// Those that arrived whole.
        public private(set) var done = 0
        /// Those that were refused, cancelled or could not be.
        public private(set) var failed = 0

        mutating func ended(_ outcome: TransferOutcome) {
            if outcome == .stored { done += 1 } else { failed += 1 }
        }
    }

    /// What went over lanes of one kind, without what TLS adds and without greetings.
    public struct Traffic: Hashable, Sendable {
        /// How many bytes came.
        public private(set) var received: UInt64 = 0
        /// How many bytes went.
        public private(set) var sent: UInt64 = 0
        /// How many lanes are open now.
        public private(set) var lanes = 0

        init() {}

        init(_ traffic: LaneTraffic) { (received, sent, lanes) = (traffic.received, traffic.sent, traffic.openLanes) }
    }

    /// Links of peers that came in, with a key that was proven.
    public internal(set) var linksAccepted = 0
    /// Links to peers that this side made.
    public internal(set) var linksDialled = 0
    /// Connections that were turned away at the door: too many at once, or from one place.
    public internal(set) var arrivalsRefused = 0
    /// Connections that came in and led to no link and no lane: no peer, another version, or gone before its greeting was over.
    public internal(set) var greetingsFailed = 0
    /// What is brought to others.
    public internal(set) var sending = Transfers()
    /// What others bring.
    public internal(set) var receiving = Transfers()
    /// Links there are now.
    public internal(set) var links = 0
    /// Sessions there are now.
    public internal(set) var sessions = 0

    /// What went over the lanes of links: messages, and all that is said about the rest.
    public internal(set) var control = Traffic()
    /// What went over the lanes of streams.
    public internal(set) var streams = Traffic()
    /// What went over the lanes of files and folders.
    public internal(set) var resources = Traffic()
}

extension Node {
    /// What was done, and what is under way now.
    public var tally: NodeTally {
        var tally = counted
        (tally.links, tally.sessions) = (links.count, sessions.count)
        (tally.control, tally.streams) = (.init(controlTraffic), .init(streamTraffic))
        tally.resources = .init(resourceTraffic)
        tally.sending.running = outgoing.count
        tally.receiving.running = incoming.values.count(where: \.isUnderWay)
        return tally
    }
}
