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

/// Which questions are kept open. Each costs a thread and a D-Bus connection, of which the bus allows a user 256, so that
/// there is a limit; beyond it answers are kept and their questions closed.
struct LookupPlan {
    let capacity: Int

    /// Of the wanted questions those to be open, out of `open` that are.
    func choose(from wanted: [(lookup: Lookup, need: Lookup.Need)], open: Set<Lookup>) -> Set<Lookup> {
        guard wanted.count > capacity else { return Set(wanted.map(\.lookup)) }
        let ranked = wanted.enumerated().sorted { left, right in
            // Among equals an open one stays, so that nothing is closed and opened in turn.
            let a = (left.element.need, open.contains(left.element.lookup) ? 0 : 1, left.offset)
            let b = (right.element.need, open.contains(right.element.lookup) ? 0 : 1, right.offset)
            return a < b
        }
        return Set(ranked.prefix(capacity).map(\.element.lookup))
    }
}

extension PeerTable {
    /// The questions that the list wants open.
    var wantedLookups: [(lookup: Lookup, need: Lookup.Need)] {
        var wanted: [(lookup: Lookup, need: Lookup.Need)] = []
        var hostsWanted: Set<String> = []
        for record in records.values where record.isSighted {
            guard case .advertised(let name) = record.origin, let link = record.preferredLink else { continue }
            let need: Lookup.Need =
                record.endpoint == nil ? (record.wasUnanswered ? .hopeless : .unanswered) : .answered
            wanted.append((.service(name, link), need))
            if record.endpoint != nil { wanted.append((.texts(name), .answered)) }
            if let host = record.endpoint?.host, hostsWanted.insert(host).inserted {
                let isKnown = hosts[host].map { !$0.isEmpty } ?? false
                for family in AddressFamily.allCases {
                    wanted.append((.address(host: host, family), isKnown ? .answered : .unanswered))
                }
            }
        }
        return wanted
    }
}
