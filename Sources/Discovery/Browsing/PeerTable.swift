import LinuxPlatform
import Vocabulary

/// The table of peers: a pure function of the reports of the responder, the probes and the clock. It returns the
/// changes of the list and the lookups that should be open.
///
/// It handles, each with a test: a peer seen over several interfaces and both address families; a goodbye; a link of
/// this machine that goes down; a peer that stops answering and returns; a restart of avahi-daemon; a renamed peer;
/// this program's own advertisement; a typed address that is also an advertised peer; far too many services.
struct PeerTable {
    typealias Instant = ContinuousClock.Instant
    typealias Origin = FoundPeer.Origin

    /// Times until a peer gets a worse state.
    struct Patience: Sendable {
        /// From avahi-daemon's return until a peer that was present before must have been seen again.
        var afterReturn: Duration = .seconds(5)
        /// From avahi-daemon's end until its peers are shown as unreachable.
        var whileAway: Duration = .seconds(30)
        /// From the moment at which a peer is unreachable until it is lost.
        var untilLost: Duration = .seconds(120)
    }

    /// A change of the list: the peer's new form, or nil with the reason why it left.
    struct Change: Equatable {
        let origin: Origin
        let peer: FoundPeer?
        let reason: LossReason
    }

    let patience: Patience
    /// The token in the TXT record that identifies this program's own advertisement.
    let ownRun: RunToken?
    /// The key of this machine; another program of the machine may advertise it.
    let ownID: PeerID?
    /// Maximum number of followed services; a hostile network can name millions.
    let limit: Int
    /// The names under which paired machines were seen last. They prove nothing, and are few.
    var known: Set<InstanceName> = []

    var records: [Origin: PeerRecord] = [:]
    var hosts: [String: HostAddresses] = [:]
    var typedPeers: Set<HostAndPort> = []
    private(set) var isAvahiRunning = false
    private(set) var hasOverflowed = false
    /// The links without a carrier. Avahi still lists the services behind them.
    private(set) var downLinks: Set<UInt32> = []
    private(set) var listed: [Origin: FoundPeer] = [:]
    private var changes: [Change] = []
    private var sightingCount = 0
    private var forgotten = Forgotten()

    init(patience: Patience = Patience(), ownRun: RunToken? = nil, ownID: PeerID? = nil, limit: Int = 256) {
        self.patience = patience
        self.ownRun = ownRun
        self.ownID = ownID
        self.limit = limit
    }

    /// The changes since the last call, in order.
    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }

    /// The next moment at which ``advance(to:)`` will change something.
    func deadline(after now: Instant) -> Instant? {
        records.values.compactMap { $0.deadline(after: now) }.min()
    }

    // MARK: Avahi itself

    mutating func avahiReturned(at now: Instant) {
        isAvahiRunning = true
        for origin in Array(records.keys) where records[origin]?.isConfirmed == false && origin.isAdvertised {
            records[origin]?.confirmBy = now + patience.afterReturn
        }
    }

    mutating func avahiLeft(at now: Instant) {
        isAvahiRunning = false
        for host in Array(hosts.keys) {
            for family in AddressFamily.allCases { hosts[host]?.stopFollowing(family) }
        }
        for origin in Array(records.keys) where origin.isAdvertised {
            records[origin]?.forgetSightings(confirmBy: now + patience.whileAway)
            refresh(origin, at: now)
        }
    }

    // MARK: This machine's links

    mutating func linksAreDown(_ links: Set<UInt32>, at now: Instant) {
        downLinks = links
        for (origin, record) in records where record.isSighted {
            if record.isCutOff(by: links) {
                doubt(origin, .linkDown, at: now)
            } else if record.doubt?.reason == .linkDown {
                // The link is up again; a probe or the peer itself will show if the peer is present.
                records[origin]?.doubt?.reason = .notAnswering
            }
            refresh(origin, at: now)
        }
    }

    // MARK: Sightings

    mutating func appeared(_ name: InstanceName, on link: Link, at now: Instant) {
        let origin = Origin.advertised(name)
        guard records[origin] != nil || records.count < limit || makeRoom(for: name, at: now) else { return }
        sightingCount += 1
        records[origin, default: PeerRecord(origin)].sight(on: link, order: sightingCount)
        showTexts(of: origin, at: now)
    }

    /// Drops a service to make room for another one. The oldest half of the strangers stays, so that a flood does not
    /// displace services that came before it. Of the newer half, services without an answer go first, then the oldest,
    /// so that a flood does not hide services that come after it. Services seen over only one family go before all
    /// others.
    private mutating func makeRoom(for name: InstanceName, at now: Instant) -> Bool {
        hasOverflowed = true
        var strangers: [(rank: (Int, Int), isComplete: Bool, origin: Origin)] = []
        for (origin, record) in records where record.isAdvertised && !isKnown(record) {
            strangers.append(((-record.breadth, record.firstSighted), record.isComplete, origin))
        }
        strangers.sort { $0.rank < $1.rank }
        let rotating = strangers.dropFirst(limit / 2)
        // Several at once: in a flood the next service follows immediately, and choosing takes longer than dropping.
        let silent = rotating.lazy.filter { !$0.isComplete }.prefix(max(limit / 16, 1))
        let victims = silent.isEmpty ? Array(rotating.prefix(1)) : Array(silent)
        let last = victims.isEmpty && known.contains(name) ? strangers.last.map { [$0] } ?? [] : victims
        for victim in last { drop(victim.origin, because: .crowdedOut, at: now) }
        return !last.isEmpty
    }

    /// True if the name of a record belongs to a paired machine. A name is no proof.
    func isKnown(_ record: PeerRecord) -> Bool {
        if case .advertised(let name) = record.origin { known.contains(name) } else { false }
    }

    /// - Parameter isLinkUp: true if the interface works; if not, the missing service is no goodbye
    mutating func vanished(_ name: InstanceName, from link: Link, isLinkUp: Bool, at now: Instant) {
        let origin = Origin.advertised(name)
        guard let wasLast = records[origin]?.unsight(on: link) else { return }
        if wasLast && isLinkUp {
            drop(origin, because: .goodbye, at: now)
        } else {
            if wasLast { doubt(origin, .linkDown, at: now) }
            if isLinkUp && !link.isLoopback { distrustLoopback(origin) }
            refresh(origin, at: now)
        }
    }

    // MARK: Answers

    mutating func resolved(_ name: InstanceName, to endpoint: PeerRecord.Endpoint, at now: Instant) {
        let origin = Origin.advertised(name)
        guard records[origin] != nil else { return }
        records[origin]?.resolved(to: endpoint, at: now)
        records[origin]?.doubt = nil
        records[origin]?.unansweredLinks = []
        refresh(origin, at: now)
        refreshOthers(sharing: endpoint, at: now)
    }

    mutating func appeared(text: [UInt8], of name: InstanceName, on link: UInt32, at now: Instant) {
        records[.advertised(name)]?.texts.add(text, on: link)
        showTexts(of: .advertised(name), at: now)
    }

    mutating func vanished(text: [UInt8], of name: InstanceName, on link: UInt32, at now: Instant) {
        records[.advertised(name)]?.texts.remove(text, on: link)
        showTexts(of: .advertised(name), at: now)
    }

    private mutating func showTexts(of origin: Origin, at now: Instant) {
        records[origin]?.readTexts(at: now)
        refresh(origin, at: now)
    }

    mutating func noteUnanswered(_ name: InstanceName, on link: Link, at now: Instant) {
        let origin = Origin.advertised(name)
        records[origin]?.unansweredLinks.insert(link)
        if records[origin]?.wasUnanswered == true { noteSilence(of: origin, at: now) }
    }

    mutating func appeared(_ address: IPAddress, of host: String, at now: Instant) {
        let isNew = hosts[host, default: HostAddresses()].add(address)
        // Avahi reports the same address once for each link and family; only the first report changes a peer that is
        // not in doubt.
        for origin in origins(on: host) where isNew || records[origin]?.doubt != nil { noteLife(of: origin, at: now) }
    }

    mutating func vanished(_ address: IPAddress, of host: String, at now: Instant) {
        hosts[host]?.remove(address)
        for origin in origins(on: host) {
            if hosts[host]?.isEmpty == true { noteSilence(of: origin, at: now) }
            refresh(origin, at: now)
        }
    }

    // MARK: Time

    mutating func advance(to now: Instant) {
        for (origin, record) in records where record.isDue(at: now) {
            if let confirmBy = record.confirmBy, confirmBy <= now {
                records[origin]?.confirmBy = nil
                guard !isAvahiRunning else {
                    drop(origin, because: .notFoundAgain, at: now)
                    continue
                }
                doubt(origin, .avahiAway, at: now)
            }
            showTexts(of: origin, at: now)
            if !record.isSighted && records[origin]?.isLost(at: now) == true {
                drop(origin, because: .unreachable, at: now)
            }
        }
    }

    /// Returns true if services were skipped and there is room again. Avahi reports each service once, so browsing must
    /// start again.
    mutating func hasRoomAgain() -> Bool {
        guard hasOverflowed, records.count <= limit * 3 / 4 else { return false }
        hasOverflowed = false
        return true
    }

    /// The names and hosts that were forgotten since the last call. An open lookup about one of them has given its
    /// answer to a record that no longer exists, and would not report it again.
    mutating func takeForgotten() -> Forgotten {
        defer { forgotten = Forgotten() }
        return forgotten
    }

    /// Forgets the addresses of a host that no record uses.
    private mutating func forgetHost(of endpoint: PeerRecord.Endpoint) {
        guard !records.values.contains(where: { $0.endpoint?.host == endpoint.host }) else { return }
        hosts[endpoint.host] = nil
        forgotten.hosts.insert(endpoint.host)
    }
}

extension PeerTable {
    /// Clears the doubt about a peer after a sign of life.
    mutating func noteLife(of origin: Origin, at now: Instant) {
        records[origin]?.doubt = nil
        refresh(origin, at: now)
    }

    /// Notes that the peer was probed or queried and did not answer.
    mutating func noteSilence(of origin: Origin, at now: Instant) {
        guard let record = records[origin], record.doubt == nil, record.endpoint != nil else { return }
        doubt(origin, .notAnswering, at: now)
        refresh(origin, at: now)
    }

    /// Forgets the endpoint of a peer that is seen on the loopback only, after a goodbye on the last real link. The
    /// sighting counts only if a service answers there. After a clash, Avahi leaves the old name of a renamed service
    /// on the loopback.
    private mutating func distrustLoopback(_ origin: Origin) {
        guard let record = records[origin], record.isSighted, record.isOnLoopbackOnly else { return }
        records[origin]?.endpoint = nil
        records[origin]?.lastAddresses = []
    }

    mutating func drop(_ origin: Origin, because reason: LossReason, at now: Instant) {
        let endpoint = records.removeValue(forKey: origin)?.endpoint
        if case .advertised(let name) = origin { forgotten.names.insert(name) }
        publish(nil, of: origin, because: reason)
        guard let endpoint else { return }
        forgetHost(of: endpoint)
        refreshOthers(sharing: endpoint, at: now)
    }

    /// Marks a peer as doubtful. The time until it is lost counts from the first doubt.
    private mutating func doubt(_ origin: Origin, _ reason: FoundPeer.Unreachability, at now: Instant) {
        let lostAt = records[origin]?.doubt?.lostAt ?? now + patience.untilLost
        // A typed peer stays until the user removes it.
        records[origin]?.doubt = .init(reason: reason, lostAt: origin.isAdvertised ? lostAt : nil)
    }

    private func origins(on host: String) -> [Origin] {
        records.values.filter { $0.endpoint?.host == host }.map(\.origin)
    }

    /// Changes the list if the peer differs, and records the change.
    mutating func publish(_ peer: FoundPeer?, of origin: Origin, because reason: LossReason) {
        guard listed[origin] != peer else { return }
        listed[origin] = peer
        changes.append(Change(origin: origin, peer: peer, reason: reason))
    }
}
