import Vocabulary

/// A query to the responder that stays open and reports changes.
enum Lookup: Hashable {
    /// Host, port and TXT record of a service.
    case service(InstanceName, Link)
    /// The TXT records of a service as they change.
    case texts(InstanceName)
    /// The addresses of a host.
    case address(host: String, AddressFamily)

    /// Priority of a lookup; a smaller value is more urgent.
    enum Need: Int, Comparable {
        /// It has not been answered yet.
        case unanswered
        /// It has an answer; while it stays open it reports changes.
        case answered
        /// It was open for long enough without an answer.
        case hopeless

        static func < (left: Need, right: Need) -> Bool { left.rawValue < right.rawValue }
    }
}

/// Services and hosts whose data was dropped.
struct Forgotten: Equatable {
    var names: Set<InstanceName> = []
    var hosts: Set<String> = []

    func covers(_ lookup: Lookup) -> Bool {
        switch lookup {
        case .service(let name, _), .texts(let name): names.contains(name)
        case .address(let host, _): hosts.contains(host)
        }
    }
}

/// A lookup that the table wants open.
struct WantedLookup: Hashable {
    let lookup: Lookup
    let need: Lookup.Need
    /// True if its name belongs to a paired machine. A name is no proof.
    let isKnown: Bool
    /// Number of the first sighting of the service; it grows.
    let order: Int
    /// Number of links and families on which the service is seen. A machine of the household is seen over two families,
    /// most invented services over one.
    var breadth = 1
}

/// The rule that selects the open lookups. Each costs a thread and a D-Bus connection, of which the bus allows a user
/// 256. Beyond the limit, answers are kept and their lookups closed.
///
/// In a crowd, for example if a host invents thousands of services, few lookups about strangers are open at one time,
/// those about the newest first. A lookup without an answer yields its place to the next after a moment, and is not
/// repeated after its second turn.
struct LookupPlan {
    typealias Instant = ContinuousClock.Instant

    /// The selected lookups.
    struct Choice {
        /// The lookups, the most urgent ones first.
        let ordered: [Lookup]
        /// The time at which another lookup may claim a place, if nothing happens until then.
        let review: Instant?
    }

    /// Number of open lookups about strangers in a crowd.
    static let askedAtOnce = 16
    /// Time without an answer after which a lookup of a crowd yields to a waiting one, and after which it yields if
    /// none waits.
    static let turn: Duration = .milliseconds(250)
    static let longestTurn: Duration = .seconds(2)
    /// Number of turns of a lookup in a crowd.
    static let turns = 2

    let capacity: Int
    /// Start time of each open lookup.
    private var since: [Lookup: Instant] = [:]
    /// Number of turns without an answer of the other lookups.
    private var turnsHad: [Lookup: Int] = [:]

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func opened(_ lookup: Lookup, at now: Instant) { since[lookup] = now }

    /// Notes that a lookup was closed or has failed. Its subject may be another one by now.
    mutating func closed(_ lookup: Lookup) { since[lookup] = nil }

    /// Drops the counts of turns of these services and hosts.
    mutating func forget(_ forgotten: Forgotten) {
        if !turnsHad.isEmpty { turnsHad = turnsHad.filter { !forgotten.covers($0.key) } }
    }

    /// Selects the lookups that should be open.
    mutating func choose(from wanted: [WantedLookup], isCrowd: Bool, at now: Instant) -> Choice {
        guard isCrowd else {
            turnsHad = [:]
            return Choice(ordered: ranked(wanted).prefix(capacity).map(\.lookup), review: nil)
        }
        let asked = wanted.filter { $0.need == .unanswered && !$0.isKnown }
        noteTurns(of: asked, longerThan: Self.longestTurn, at: now)
        let waiting = asked.filter { turnsHad[$0.lookup, default: 0] < Self.turns }
        let places = min(Self.askedAtOnce, capacity)
        let (chosen, others) = inTurn(waiting, places, at: now)
        noteTurns(of: others, longerThan: Self.turn, at: now)
        // Lookups about strangers take the same number of places as long as strangers wait; all others share the rest.
        let rest = ranked(wanted.filter { $0.isKnown || $0.need != .unanswered })
        let ordered = rest.prefix(capacity - chosen.count).map(\.lookup) + chosen.map(\.lookup)
        let reviews = chosen.flatMap { one in
            let since = since[one.lookup] ?? now
            return others.isEmpty ? [since + Self.longestTurn] : [since + Self.turn, since + Self.longestTurn]
        }
        return Choice(ordered: ordered, review: reviews.filter { $0 > now }.min())
    }

    /// The lookups, the most urgent ones first. Among equals an open one stays, so that lookups don't alternate.
    private func ranked(_ wanted: [WantedLookup]) -> [WantedLookup] {
        guard wanted.count > capacity else { return wanted }
        return wanted.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            return (a.need, a.isKnown ? 0 : 1, since[a.lookup] == nil ? 1 : 0, left.offset)
                < (b.need, b.isKnown ? 0 : 1, since[b.lookup] == nil ? 1 : 0, right.offset)
        }.map(\.element)
    }

    /// Splits lookups into those that have a place now and those that wait.
    private func inTurn(
        _ wanted: [WantedLookup],
        _ places: Int,
        at now: Instant
    ) -> (chosen: ArraySlice<WantedLookup>, others: ArraySlice<WantedLookup>) {
        func rank(_ one: WantedLookup) -> (Int, Int, Int, Int) {
            guard let since = since[one.lookup] else {
                return (1, turnsHad[one.lookup, default: 0], -one.breadth, -one.order)
            }
            let isInTurn = now - since < Self.turn
            return (isInTurn ? 0 : 1, turnsHad[one.lookup, default: 0] + 1, -one.breadth, -one.order)
        }
        let sorted = wanted.map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        return (sorted.prefix(places), sorted.dropFirst(places))
    }

    private mutating func noteTurns(of lookups: some Sequence<WantedLookup>, longerThan turn: Duration, at now: Instant)
    {
        for one in lookups {
            guard let since = since[one.lookup], now - since >= turn else { continue }
            turnsHad[one.lookup, default: 0] += 1
            // If it keeps its place, another turn begins.
            self.since[one.lookup] = now
        }
    }
}

extension PeerTable {
    /// A household with guests has at most this many services; more are a crowd.
    static let crowd = 12

    /// True if more services are seen than a household has. Then lookups about strangers are closed after their answer.
    var isCrowd: Bool { records.values.count { $0.isSighted } > Self.crowd }

    /// The lookups that the table wants open.
    var wantedLookups: [WantedLookup] {
        let isCrowd = isCrowd
        var wanted: [WantedLookup] = []
        var hostsWanted: [String: (isKnown: Bool, order: Int, breadth: Int)] = [:]
        for record in records.values where record.isSighted {
            guard case .advertised(let name) = record.origin, let link = record.preferredLink else { continue }
            let (isKnown, order, breadth) = (known.contains(name), record.firstSighted, record.breadth)
            func question(_ lookup: Lookup, _ need: Lookup.Need) -> WantedLookup {
                WantedLookup(lookup: lookup, need: need, isKnown: isKnown, order: order, breadth: breadth)
            }
            let need: Lookup.Need =
                record.endpoint == nil ? (record.wasUnanswered ? .hopeless : .unanswered) : .answered
            // The lookup of TXT records comes first, so that it is open before the resolver answers: the TXT record of
            // a resolver can be out of date.
            if isKnown || !isCrowd {
                wanted.append(question(.texts(name), .answered))
            }
            if need == .unanswered || isKnown || !isCrowd {
                wanted.append(question(.service(name, link), need))
            }
            // Port 0 means that the host has no such service (RFC 6763 section 8).
            guard let endpoint = record.endpoint, endpoint.port != 0 else { continue }
            let host = endpoint.host
            let other = hostsWanted[host]
            hostsWanted[host] = (
                isKnown || other?.isKnown == true, max(order, other?.order ?? 0), max(breadth, other?.breadth ?? 0)
            )
        }
        for (host, (isKnown, order, breadth)) in hostsWanted {
            let hasAddress = hosts[host].map { !$0.isEmpty } ?? false
            guard !hasAddress || isKnown || !isCrowd else { continue }
            for family in AddressFamily.allCases {
                wanted.append(
                    WantedLookup(
                        lookup: .address(host: host, family),
                        need: hasAddress ? .answered : .unanswered,
                        isKnown: isKnown,
                        order: order,
                        breadth: breadth
                    )
                )
            }
        }
        return wanted
    }
}
