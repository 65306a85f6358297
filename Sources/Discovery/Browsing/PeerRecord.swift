import LinuxPlatform
import Vocabulary

/// All facts that are known about one peer, listed or not.
struct PeerRecord {
    typealias Instant = ContinuousClock.Instant

    /// Host, port and TXT record of a resolved service.
    struct Endpoint: Equatable {
        let host: String
        let port: UInt16
        let txt: TXTRecord
        /// Parsed once: a hostile host can cause frequent comparisons.
        let run: RunToken?
        let peerID: PeerID?

        init(host: String, port: UInt16, txt: TXTRecord) {
            self.host = host
            self.port = port
            self.txt = txt
            run = RunToken(in: txt)
            peerID = txt.text(.peerID).flatMap { try? PeerID($0) }
        }

        func saying(_ txt: TXTRecord) -> Endpoint {
            Endpoint(host: host, port: RunToken.port(in: txt) ?? port, txt: txt)
        }
    }

    /// The reason of a doubt and the time at which the peer is lost; never if that is nil.
    struct Doubt: Equatable {
        var reason: FoundPeer.Unreachability
        var lostAt: Instant?
    }

    let origin: FoundPeer.Origin

    /// The number of sightings on each link: one for each address family.
    private(set) var sightings: [Link: Int] = [:]

    /// Number of the first sighting since the peer was last gone; orders two names of one peer.
    private(set) var firstSighted = 0

    /// True if the peer was seen since Avahi's last return. Older sightings are only remembered.
    private(set) var isConfirmed = false

    var endpoint: Endpoint?

    /// The links on which the service was resolved without an answer.
    var unansweredLinks: Set<Link> = []

    /// True if a probe has ended, with any result. Only used for typed peers.
    var wasProbed = false

    /// The TXT records, if a lookup follows them.
    var texts = CachedTXTRecords()

    var doubt: Doubt?

    /// The last known addresses; they are shown as long as an unreachable peer is listed.
    var lastAddresses: [SocketAddress] = []

    private var lastLinks: [Link] = []

    /// The time at which an unconfirmed record is dropped or marked as doubtful.
    var confirmBy: Instant?

    init(_ origin: FoundPeer.Origin) {
        self.origin = origin
    }

    var isAdvertised: Bool { origin.isAdvertised }

    /// True if enough is known to list the peer.
    var isComplete: Bool { isAdvertised ? !lastAddresses.isEmpty && !texts.areAwaited : wasProbed }

    /// The number of sightings on links other than the loopback, over all families.
    var breadth: Int { sightings.reduce(0) { $1.key.isLoopback ? $0 : $0 + $1.value } }

    var isSighted: Bool { !sightings.isEmpty }

    var isOnLoopbackOnly: Bool { sightings.keys.allSatisfy(\.isLoopback) }

    /// The link for lookups: a real one before the loopback, one that answered before one that did not, and always the
    /// same while it lasts.
    var preferredLink: Link? {
        sightings.keys.min { left, right in
            (isVain(left) ? 1 : 0, left.isLoopback ? 1 : 0, left.index)
                < (isVain(right) ? 1 : 0, right.isLoopback ? 1 : 0, right.index)
        }
    }

    /// True if the service was resolved on every link without an answer.
    var wasUnanswered: Bool { isSighted && sightings.keys.allSatisfy(isVain) }

    private func isVain(_ link: Link) -> Bool { unansweredLinks.contains(link) }

    /// Names of the links over which the peer is reachable, or of the last ones if there is none.
    func linkNames(without down: Set<UInt32>) -> [String] {
        let seen = isSighted ? Array(sightings.keys) : lastLinks
        let usable = seen.filter { !down.contains($0.index) }
        return (usable.isEmpty ? seen : usable).map(\.name).sorted()
    }

    /// True if every link on which the peer is seen is down.
    func isCutOff(by down: Set<UInt32>) -> Bool {
        isSighted && sightings.keys.allSatisfy { down.contains($0.index) }
    }

    func isLost(at now: Instant) -> Bool {
        guard let lostAt = doubt?.lostAt else { return false }
        return lostAt <= now
    }

    /// True if ``PeerTable/advance(to:)`` must handle the record.
    func isDue(at now: Instant) -> Bool {
        isLost(at: now) || confirmBy.map { $0 <= now } ?? false || texts.isDue(at: now)
    }

    /// The next moment at which the record changes without a report.
    func deadline(after now: Instant) -> Instant? {
        let lostAt = doubt?.lostAt.flatMap { $0 > now ? $0 : nil }
        return [lostAt, confirmBy, texts.deadline(after: now)].compactMap(\.self).min()
    }

    /// Stores the result of a resolver. Its TXT record can be out of date; followed TXT records replace it.
    mutating func resolved(to found: Endpoint, at now: Instant) {
        endpoint = texts.current(on: sightings.keys, at: now).map { found.saying($0) } ?? found
    }

    /// Takes over the current TXT record, if there is one.
    mutating func readTexts(at now: Instant) {
        guard let text = texts.current(on: sightings.keys, at: now) else { return }
        endpoint = endpoint?.saying(text)
    }

    mutating func sight(on link: Link, order: Int) {
        if sightings.isEmpty { firstSighted = order }
        sightings[link, default: 0] += 1
        isConfirmed = true
        unansweredLinks = []
        confirmBy = nil
        doubt = nil
    }

    /// Removes one sighting. Returns true if it was the last one.
    mutating func unsight(on link: Link) -> Bool {
        guard let count = sightings[link] else { return false }
        if sightings.count == 1 { lastLinks = [link] }
        sightings[link] = count > 1 ? count - 1 : nil
        return sightings.isEmpty
    }

    /// Removes all sightings, because Avahi has stopped. The peer itself may be unchanged.
    mutating func forgetSightings(confirmBy deadline: Instant) {
        if isSighted { lastLinks = Array(sightings.keys) }
        sightings = [:]
        texts.forget()
        isConfirmed = false
        confirmBy = deadline
    }
}
