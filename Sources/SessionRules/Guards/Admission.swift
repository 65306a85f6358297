/// The limit on connections whose machine is not known yet, so that strangers can't use up the daemon's memory. The
/// reader of a connection limits the bytes that it may send meanwhile.
///
/// Addresses at which paired machines were seen have places of their own, which strangers can't take. Within each of
/// the two groups, an address with more connections loses one to an address with fewer. So many connections from few
/// addresses can't keep other machines out.
public struct Admission<Connection: Hashable & Sendable, Address: Hashable & Sendable>: Sendable {
    /// The numbers of connections, and the time that each has.
    public struct Limits: Hashable, Sendable {
        /// The most connections from strangers in all, and as many again from familiar addresses.
        public var overall: Int
        /// The most connections from one address.
        public var perAddress: Int
        /// The most connections from an address at which a paired machine or a member was seen.
        public var perFamiliarAddress: Int
        /// The time that a connection has to become known before another may take its place.
        public var stall: Duration

        /// The defaults are 64, 8, 32 and 2 seconds.
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

    /// The outcome for a connection that comes in.
    public enum Verdict: Hashable, Sendable {
        /// It may stay.
        case admit
        /// It may stay, and this other one is closed for it.
        case admitInsteadOf(Connection)
        /// It is closed.
        case refuse
    }

    /// The kind of address that a connection comes from.
    public enum Acquaintance: Hashable, Sendable {
        /// No paired machine was seen there.
        case stranger
        /// A paired machine was seen there, or a member is there.
        case familiar
    }

    private var strangers: Room
    private var familiar: Room

    /// - Parameter limits: the numbers of connections, and the time that each has
    public init(_ limits: Limits = Limits()) {
        strangers = Room(overall: limits.overall, perAddress: limits.perAddress, stall: limits.stall)
        familiar = Room(overall: limits.overall, perAddress: limits.perFamiliarAddress, stall: limits.stall)
    }

    /// The number of connections whose machine is not known yet.
    public var count: Int { strangers.guests.count + familiar.guests.count }

    /// Decides about a connection that comes in.
    ///
    /// - Parameter address: the address of its machine. A stranger's IPv6 address counts by its first 64 bits, since
    ///   one machine may have all addresses below them. A familiar one counts as a whole, since all machines of a
    ///   household share those bits.
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

    /// Frees the place of a connection whose machine is known now, or that was closed.
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

    /// The places of one group of addresses.
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
            // A machine without free places of its own can only replace one of its connections. Otherwise the addresses
            // with the most connections lose one.
            let most = isCrowded ? own : counts.values.max() ?? 0
            let oldest = guests.filter { isCrowded ? $0.value.address == address : counts[$0.value.address] == most }
                .min { $0.value.since < $1.value.since }
            // With two connections more than the newcomer, the address still has no fewer than it afterwards.
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
