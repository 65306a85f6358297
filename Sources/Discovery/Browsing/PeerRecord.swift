import LinuxPlatform
import Vocabulary

/// All that is known about one peer, whether it is in the list or not.
struct PeerRecord {
    typealias Instant = ContinuousClock.Instant

    /// Where the peer listens and what it says of itself, once it has been asked.
    struct Endpoint: Equatable {
        let host: String
        let port: UInt16
        let txt: TXTRecord
        /// Read once: a hostile host can make everybody look at it often.
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

    /// Why the peer is doubted, and when it counts as lost; never where that is nil.
    struct Doubt: Equatable {
        var reason: FoundPeer.Unreachability
        var lostAt: Instant?
    }

    let origin: FoundPeer.Origin

    /// How often the peer is seen on each link: once for each address family.
    private(set) var sightings: [Link: Int] = [:]

    /// When the peer was first seen under this name since it last was gone; orders two names of one peer.
    private(set) var firstSighted = 0

    /// Whether it was seen since Avahi's last return. What was seen before is only remembered.
    private(set) var isConfirmed = false

    var endpoint: Endpoint?

    /// The links over which it has been asked where it listens, and nobody answered.
    var askedInVain: Set<Link> = []

    /// Whether it has been asked whether it is there, with whatever outcome. Only typed peers are.
    var wasProbed = false

    /// What it says of itself, where that is followed.
    var texts = StandingTexts()

    var doubt: Doubt?

    /// The addresses that stood last, for as long as a peer that can't be reached is shown.
    var lastAddresses: [SocketAddress] = []

    private var lastLinks: [Link] = []

    /// When an unconfirmed record is dropped or doubted.
    var confirmBy: Instant?

    init(_ origin: FoundPeer.Origin) {
        self.origin = origin
    }

    var isAdvertised: Bool { origin.isAdvertised }

    /// Whether enough is known to show it.
    var isComplete: Bool { isAdvertised ? !lastAddresses.isEmpty && !texts.areAwaited : wasProbed }

    /// On how many links that lead elsewhere it is seen, and over how many families.
    var breadth: Int { sightings.reduce(0) { $1.key.isLoopback ? $0 : $0 + $1.value } }

    var isSighted: Bool { !sightings.isEmpty }

    var isOnLoopbackOnly: Bool { sightings.keys.allSatisfy(\.isLoopback) }

    /// The link to ask over: a real one rather than the loopback, one that was not asked in vain, and always the same one
    /// while it lasts.
    var preferredLink: Link? {
        sightings.keys.min { left, right in
            (isVain(left) ? 1 : 0, left.isLoopback ? 1 : 0, left.index)
                < (isVain(right) ? 1 : 0, right.isLoopback ? 1 : 0, right.index)
        }
    }

    /// Whether it has been asked where it listens over every link, and nobody answered.
    var wasUnanswered: Bool { isSighted && sightings.keys.allSatisfy(isVain) }

    private func isVain(_ link: Link) -> Bool { askedInVain.contains(link) }

    /// The links over which it can be reached; where there is none, those over which it was seen last.
    func linkNames(without down: Set<UInt32>) -> [String] {
        let seen = isSighted ? Array(sightings.keys) : lastLinks
        let usable = seen.filter { !down.contains($0.index) }
        return (usable.isEmpty ? seen : usable).map(\.name).sorted()
    }

    /// Whether every link on which it is seen is down.
    func isCutOff(by down: Set<UInt32>) -> Bool {
        isSighted && sightings.keys.allSatisfy { down.contains($0.index) }
    }

    func isLost(at now: Instant) -> Bool {
        guard let lostAt = doubt?.lostAt else { return false }
        return lostAt <= now
    }

    /// Whether ``PeerTable/advance(to:)`` has something to do for it.
    func isDue(at now: Instant) -> Bool {
        isLost(at: now) || confirmBy.map { $0 <= now } ?? false || texts.isDue(at: now)
    }

    /// The next moment at which something about the record changes by itself.
    func deadline(after now: Instant) -> Instant? {
        let lostAt = doubt?.lostAt.flatMap { $0 > now ? $0 : nil }
        return [lostAt, confirmBy, texts.deadline(after: now)].compactMap(\.self).min()
    }

    /// It has been asked where it listens. What that answer says of the service comes late; where this is followed, it is right.
    mutating func resolved(to found: Endpoint, at now: Instant) {
        endpoint = texts.current(on: sightings.keys, at: now).map { found.saying($0) } ?? found
    }

    /// Takes over what the service says of itself now, where that is clear.
    mutating func readTexts(at now: Instant) {
        guard let text = texts.current(on: sightings.keys, at: now) else { return }
        endpoint = endpoint?.saying(text)
    }

    mutating func sight(on link: Link, order: Int) {
        if sightings.isEmpty { firstSighted = order }
        sightings[link, default: 0] += 1
        isConfirmed = true
        askedInVain = []
        confirmBy = nil
        doubt = nil
    }

    /// Takes one sighting back. Answers whether it was the last one.
    mutating func unsight(on link: Link) -> Bool {
        guard let count = sightings[link] else { return false }
        if sightings.count == 1 { lastLinks = [link] }
        sightings[link] = count > 1 ? count - 1 : nil
        return sightings.isEmpty
    }

    /// Avahi has gone and with it every sighting; the peer itself may be as well as before.
    mutating func forgetSightings(confirmBy deadline: Instant) {
        if isSighted { lastLinks = Array(sightings.keys) }
        sightings = [:]
        texts.forget()
        isConfirmed = false
        confirmBy = deadline
    }
}
