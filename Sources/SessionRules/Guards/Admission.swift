/// How many connections there may be of whom nothing is known yet. So nobody can fill the daemon up by knocking. How much one
/// may say meanwhile is bounded where it is read.
public struct Admission<Connection: Hashable & Sendable, Address: Hashable & Sendable>: Sendable {
    /// How many, and for how long undisturbed.
    public struct Limits: Hashable, Sendable {
        /// How many in all.
        public var overall: Int
        /// How many from one address.
        public var perAddress: Int
        /// How many from an address where a member is.
        public var perFamiliarAddress: Int
        /// How long one may take to become known before it gives way to another.
        public var stall: Duration

        /// 64, 8, 32 and 2 seconds, if nothing else is said.
        public init(
            overall: Int = 64,
            perAddress: Int = 8,
            perFamiliarAddress: Int = 32,
            stall: Duration = .seconds(2)
        ) {
            self.overall = overall
            self.perAddress = perAddress
            self.perFamiliarAddress = perFamiliarAddress
            self.stall = stall
        }
    }

    /// What becomes of a connection that comes in.
    public enum Verdict: Hashable, Sendable {
        /// It may stay.
        case admit
        /// It may stay; this one, which has been there unknown for the longest time, is closed for it.
        case admitInsteadOf(Connection)
        /// It is closed.
        case refuse
    }

    private struct Guest: Sendable {
        let address: Address
        let since: ContinuousClock.Instant
    }

    private let limits: Limits
    private var guests: [Connection: Guest] = [:]
    private var counts: [Address: Int] = [:]

    /// - Parameter limits: how many, and for how long undisturbed
    public init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// How many connections are not known yet.
    public var count: Int { guests.count }

    /// A connection came in.
    /// - Parameters:
    ///   - address: of its machine; of IPv6 the first 64 bits, since one machine may have all of the others
    ///   - isFamiliar: whether a member is at that address, who may open many lanes at once
    public mutating func arrived(
        _ connection: Connection,
        from address: Address,
        isFamiliar: Bool = false,
        at now: ContinuousClock.Instant
    ) -> Verdict {
        precondition(guests[connection] == nil, "a connection arrives once")
        let isCrowded = counts[address, default: 0] >= (isFamiliar ? limits.perFamiliarAddress : limits.perAddress)
        guard isCrowded || guests.count >= limits.overall else {
            add(connection, address, now)
            return .admit
        }
        // A machine that has used up its own places can only take one of those.
        let candidates = isCrowded ? guests.filter { $0.value.address == address } : guests
        let oldest = candidates.min { $0.value.since < $1.value.since }
        guard let oldest, now - oldest.value.since >= limits.stall else { return .refuse }
        left(oldest.key)
        add(connection, address, now)
        return .admitInsteadOf(oldest.key)
    }

    /// It is known who it is, or it was closed: it does not count any more.
    public mutating func left(_ connection: Connection) {
        guard let guest = guests.removeValue(forKey: connection) else { return }
        let count = counts[guest.address, default: 0] - 1
        counts[guest.address] = count > 0 ? count : nil
    }

    private mutating func add(_ connection: Connection, _ address: Address, _ now: ContinuousClock.Instant) {
        guests[connection] = Guest(address: address, since: now)
        counts[address, default: 0] += 1
    }
}
