import LinuxPlatform

/// The addresses of one host, as they come and go.
///
/// Avahi reports an address once for each interface and for each address family that its record was asked over, so that
/// they are counted: one remove is not the end while another answer still stands.
struct HostAddresses {
    private struct Answers {
        var counts: [IPAddress: Int] = [:]
        /// The question has ended. What was answered is still the best knowledge until it is asked again.
        var isStale = false
    }

    private static let limit = 16

    private var answers: [AddressFamily: Answers] = [:]

    var isEmpty: Bool { answers.values.allSatisfy(\.counts.isEmpty) }

    /// Answers whether the address was unknown before.
    @discardableResult
    mutating func add(_ address: IPAddress) -> Bool {
        var known = answers[address.family, default: Answers()]
        if known.isStale { known = Answers() }
        // A host with more addresses than that wants to be a burden.
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

    /// Nobody tells any more when addresses of this family come and go.
    mutating func stopFollowing(_ family: AddressFamily) {
        answers[family]?.isStale = true
    }

    /// The best address first: what works across links before what works on one, this machine's own last.
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
