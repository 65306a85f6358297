import Vocabulary

/// A question to the responder that stays open, so that changes are told.
enum Lookup: Hashable {
    /// Where a service listens and what it says of itself.
    case service(InstanceName, Link)
    /// What a service says of itself, as it changes.
    case texts(InstanceName)
    /// The addresses of a host.
    case address(host: String, AddressFamily)

    /// How much a question is wanted; a smaller one is wanted more.
    enum Need: Int, Comparable {
        /// It has not been answered yet.
        case unanswered
        /// It has been answered, and staying open it would tell of changes.
        case answered
        /// It has been open for long enough without an answer.
        case hopeless

        static func < (left: Need, right: Need) -> Bool { left.rawValue < right.rawValue }
    }
}

/// Services and hosts of which nothing is known any more.
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

/// A question that the list wants open.
struct WantedLookup: Hashable {
    let lookup: Lookup
    let need: Lookup.Need
    /// Whether it is about a paired machine, as far as a name tells.
    let isKnown: Bool
    /// When the service that it is about was first seen, as a number that grows.
    let order: Int
    /// On how many links and over how many families that is seen. A machine of the household is seen over two, most of what is made up over one.
    var breadth = 1
}

/// Which questions are kept open. Each costs a thread and a D-Bus connection, of which the bus allows a user 256, so that
/// there is a limit; beyond it answers are kept and their questions closed.
///
/// In a crowd, such as when somebody makes up services by the thousand, a few questions about strangers are asked at one time, about the newest
/// first. A question without an answer gives its place to the next after a moment, and is not asked again after its second turn.
struct LookupPlan {
    typealias Instant = ContinuousClock.Instant

    /// What is to be open now.
    struct Choice {
        /// The more wanted ones first.
        let ordered: [Lookup]
        /// When another one has a claim to a place, if nothing happens until then.
        let review: Instant?
    }

    /// How many questions about strangers are asked at one time in a crowd.
    static let askedAtOnce = 16
    /// How long a question in a crowd may be without an answer while others wait, and while none does.
    static let turn: Duration = .milliseconds(250)
    static let longestTurn: Duration = .seconds(2)
    /// How many turns a question gets in a crowd.
    static let turns = 2

    let capacity: Int
    /// Since when each open question has been open.
    private var since: [Lookup: Instant] = [:]
    /// How many turns the others have had without an answer.
    private var turnsHad: [Lookup: Int] = [:]

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A question is open.
    mutating func opened(_ lookup: Lookup, at now: Instant) { since[lookup] = now }

    /// A question has been closed, or has failed. What it was about may be another thing by now.
    mutating func closed(_ lookup: Lookup) { since[lookup] = nil }

    /// Nothing is known of these any longer, nor how often they were asked about.
    mutating func forget(_ forgotten: Forgotten) {
        if !turnsHad.isEmpty { turnsHad = turnsHad.filter { !forgotten.covers($0.key) } }
    }

    /// Of the wanted questions those to be open.
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
        // Others keep what strangers leave, which is always the same number of places for as long as strangers wait.
        let rest = ranked(wanted.filter { $0.isKnown || $0.need != .unanswered })
        let ordered = rest.prefix(capacity - chosen.count).map(\.lookup) + chosen.map(\.lookup)
        let reviews = chosen.flatMap { one in
            let since = since[one.lookup] ?? now
            return others.isEmpty ? [since + Self.longestTurn] : [since + Self.turn, since + Self.longestTurn]
        }
        return Choice(ordered: ordered, review: reviews.filter { $0 > now }.min())
    }

    /// The more wanted ones first. Among equals an open one stays, so that nothing is closed and opened in turn.
    private func ranked(_ wanted: [WantedLookup]) -> [WantedLookup] {
        guard wanted.count > capacity else { return wanted }
        return wanted.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            return (a.need, a.isKnown ? 0 : 1, since[a.lookup] == nil ? 1 : 0, left.offset)
                < (b.need, b.isKnown ? 0 : 1, since[b.lookup] == nil ? 1 : 0, right.offset)
        }.map(\.element)
    }

    /// Those who have a place now, and those who wait for one.
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
            // Where it keeps its place, another turn begins.
            self.since[one.lookup] = now
        }
    }
}

extension PeerTable {
    /// So many services are a household with guests; more are a crowd.
    static let crowd = 12

    /// Whether more services are seen than a household has. Then questions about strangers are closed once they are answered.
    var isCrowd: Bool { records.values.count { $0.isSighted } > Self.crowd }

    /// The questions that the list wants open.
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
            // First, so that it is open before the other one is answered: what the answer to the other one says of the service can be out of date.
            if isKnown || !isCrowd {
                wanted.append(question(.texts(name), .answered))
            }
            if need == .unanswered || isKnown || !isCrowd {
                wanted.append(question(.service(name, link), need))
            }
            // Port 0 says that there is no such service here (RFC 6763 section 8).
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
