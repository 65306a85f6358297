/// How many connections there may be of which nothing is known yet. So knocking can't fill the daemon up. How much one
/// may say meanwhile is bounded where it is read.
///
/// Addresses at which paired machines were seen have places of their own: strangers can take none of them. In both rooms an address that
/// holds more places gives way to one that holds fewer, so that many connections from few addresses keep nobody else out.
public struct Admission<Connection: Hashable & Sendable, Address: Hashable & Sendable>: Sendable {
    /// How many, and for how long undisturbed.
    public struct Limits: Hashable, Sendable {
        /// How many strangers in all, and as many again from familiar addresses.
        public var overall: Int
        /// How many from one address.
        public var perAddress: Int
        /// How many from an address where a paired machine was seen, or where a member is.
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
        /// It may stay; this one is closed for it.
        case admitInsteadOf(Connection)
        /// It is closed.
        case refuse
    }

    /// Whose address a connection comes from.
    public enum Acquaintance: Hashable, Sendable {
        /// No paired machine was seen there.
        case stranger
        /// A paired machine was seen there, or a member is there.
        case familiar
    }

    private var strangers: Room
    private var familiar: Room

    /// - Parameter limits: how many, and for how long undisturbed
    public init(_ limits: Limits = Limits()) {
        strangers = Room(overall: limits.overall, perAddress: limits.perAddress, stall: limits.stall)
        familiar = Room(overall: limits.overall, perAddress: limits.perFamiliarAddress, stall: limits.stall)
    }

    /// How many connections are not known yet.
    public var count: Int { strangers.guests.count + familiar.guests.count }

    /// Takes a connection in, or not.
    ///
    /// - Parameter address: of its machine. Of a stranger's IPv6 address the first 64 bits, since one machine may have all of the others; of
    ///   a familiar one all of it, since the whole network of a household shares these bits.
    public mutating func arrived(
        _ connection: Connection,
        from address: Address,
        _ acquaintance: Acquaintance = .stranger,
        at now: ContinuousClock.Instant
    ) -> Verdict {
        precondition(
            strangers.guests[connection] == nil && familiar.guests[connection] == nil,
            "a connection arrives once"
        )
        switch acquaintance {
        case .stranger: return strangers.arrived(connection, from: address, at: now)
        case .familiar: return familiar.arrived(connection, from: address, at: now)
        }
    }

    /// Gives its place back: it is known who it is, or it was closed.
    public mutating func left(_ connection: Connection) {
        strangers.left(connection)
        familiar.left(connection)
    }
}

extension Admission {
    private struct Guest: Sendable {
        let address: Address
        let since: ContinuousClock.Instant
    }

    /// Places that are given by one rule.
    private struct Room: Sendable {
        let overall: Int
        let perAddress: Int
        let stall: Duration
        private(set) var guests: [Connection: Guest] = [:]
        private var counts: [Address: Int] = [:]

        init(overall: Int, perAddress: Int, stall: Duration) {
            (self.overall, self.perAddress, self.stall) = (overall, perAddress, stall)
        }

        mutating func arrived(
            _ connection: Connection,
            from address: Address,
            at now: ContinuousClock.Instant
        ) -> Verdict {
            let own = counts[address, default: 0]
            let isCrowded = own >= perAddress
            guard isCrowded || guests.count >= overall else {
                add(connection, address, now)
                return .admit
            }
            // A machine that has used up its own places can only take one of those. Otherwise those give way that hold most.
            let most = isCrowded ? own : counts.values.max() ?? 0
            let oldest = guests.filter { isCrowded ? $0.value.address == address : counts[$0.value.address] == most }
                .min { $0.value.since < $1.value.since }
            // With two places more than the newcomer it still holds no fewer after it.
            let givesWay = !isCrowded && most >= own + 2
            guard let oldest, givesWay || now - oldest.value.since >= stall else { return .refuse }
            left(oldest.key)
            add(connection, address, now)
            return .admitInsteadOf(oldest.key)
        }

        mutating func left(_ connection: Connection) {
            guard let guest = guests.removeValue(forKey: connection) else { return }
            let count = counts[guest.address, default: 0] - 1
            counts[guest.address] = count > 0 ? count : nil
        }

        private mutating func add(_ connection: Connection, _ address: Address, _ now: ContinuousClock.Instant) {
            guests[connection] = Guest(address: address, since: now)
            counts[address, default: 0] += 1
        }
    }
}
