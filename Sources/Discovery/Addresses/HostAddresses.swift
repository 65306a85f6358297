import LinuxPlatform

/// The addresses of one host as they appear and vanish.
///
/// Avahi reports an address once for each interface and each address family of the query. They are counted: after one
/// removal the address stays while another report still holds.
struct HostAddresses {
    private struct Answers {
        var counts: [IPAddress: Int] = [:]
        /// True if the query has ended. Its answers are the best knowledge until the next query.
        var isStale = false
    }

    private static let limit = 16

    private var answers: [AddressFamily: Answers] = [:]

    var isEmpty: Bool { answers.values.allSatisfy(\.counts.isEmpty) }

    /// Returns true if the address is new.
    @discardableResult
    mutating func add(_ address: IPAddress) -> Bool {
        var known = answers[address.family, default: Answers()]
        if known.isStale { known = Answers() }
        // More addresses come only from a host that tries to use up memory.
        guard known.counts[address] != nil || known.counts.count < Self.limit else { return false }
        known.counts[address, default: 0] += 1
        answers[address.family] = known
        return known.counts[address] == 1
    }

    mutating func remove(_ address: IPAddress) {
        guard var known = answers[address.family], !known.isStale, let count = known.counts[address] else { return }
        known.counts[address] = count > 1 ? count - 1 : nil
        answers[address.family] = known
    }

    /// Notes that no query reports changes of this family from now on.
    mutating func stopFollowing(_ family: AddressFamily) {
        answers[family]?.isStale = true
    }

    /// The addresses, the best one first: routable ones, then link-local ones, then those of this machine's loopback.
    var inOrderOfPreference: [IPAddress] {
        answers.values.flatMap(\.counts.keys).sorted {
            (Self.rank($0), $0.description) < (Self.rank($1), $1.description)
        }
    }

    private static func rank(_ address: IPAddress) -> Int {
        if address.isLoopback { return 4 }
        switch address {
        case .v4: return address.isLinkLocal ? 3 : 0
        case .v6: return address.isLinkLocal ? 2 : 1
        }
    }
}

extension IPAddress {
    fileprivate var family: AddressFamily {
        switch self {
        case .v4: .v4
        case .v6: .v6
        }
    }
}
