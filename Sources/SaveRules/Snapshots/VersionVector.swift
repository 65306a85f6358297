public import Vocabulary

/// The changes of all peers that a version includes: for each peer a counter that only this peer raises. These counters
/// alone decide which of two versions is newer, never a clock.
public struct VersionVector: Hashable, Sendable {
    /// The largest number of peers. Eight machines that get a new key each year reach it after eight years.
    public static let maximumPeerCount = 64
    /// The largest value of a counter. No game saves that often.
    public static let maximumCounter: UInt64 = 1 << 62

    /// The relation of one version to another.
    public enum Order: Hashable, Sendable {
        /// Both include the same changes.
        case equal
        /// The other version includes all changes of this one, and more.
        case before
        /// This version includes all changes of the other, and more.
        case after
        /// Each includes a change that the other does not.
        case concurrent
    }

    /// The counter of one peer.
    public struct Part: Hashable, Sendable {
        /// The peer.
        public let peer: PeerID
        /// The number of its changes, never 0.
        public let counter: UInt64
    }

    /// The reasons why a vector can't grow.
    public enum Refusal: Error, Hashable, Sendable {
        /// It would have more than 64 peers.
        case tooManyPeers
        /// A counter has its largest value.
        case exhausted
    }

    /// The counters of all peers that have one, by ascending id.
    public private(set) var parts: [Part]

    /// Creates an empty vector.
    public init() {
        parts = []
    }

    /// Creates a vector; nil if the parts break the rules.
    /// - Parameter parts: by ascending id, each peer once, no counter 0
    public init?(_ parts: [Part]) {
        guard parts.count <= Self.maximumPeerCount,
            parts.allSatisfy({ (1...Self.maximumCounter).contains($0.counter) }),
            zip(parts, parts.dropFirst()).allSatisfy({ $0.peer < $1.peer })
        else { return nil }
        self.parts = parts
    }

    /// The number of changes of all machines.
    public var total: UInt64 {
        parts.reduce(0) { sum, part in
            let (total, isOver) = sum.addingReportingOverflow(part.counter)
            return isOver ? .max : total
        }
    }

    /// True if it includes no change.
    public var isEmpty: Bool { parts.isEmpty }

    /// The counter of a peer; 0 if it has none.
    public subscript(peer: PeerID) -> UInt64 {
        let place = place(of: peer)
        return place < parts.count && parts[place].peer == peer ? parts[place].counter : 0
    }

    /// Returns the relation of this version to another.
    public func compared(to other: VersionVector) -> Order {
        switch (isWithin(other), other.isWithin(self)) {
        case (true, true): .equal
        case (true, false): .before
        case (false, true): .after
        case (false, false): .concurrent
        }
    }

    /// True if the other version includes this one, or is equal.
    public func isWithin(_ other: VersionVector) -> Bool {
        guard parts.count <= other.parts.count else { return false }
        var rest = other.parts[...]
        for part in parts {
            guard let place = rest.firstIndex(where: { $0.peer >= part.peer }), rest[place].peer == part.peer,
                rest[place].counter >= part.counter
            else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    /// Returns the least vector that includes both.
    public func merged(with other: VersionVector) throws(Refusal) -> VersionVector {
        var merged: [Part] = []
        merged.reserveCapacity(max(parts.count, other.parts.count))
        var (ours, theirs) = (parts[...], other.parts[...])
        while let own = ours.first, let their = theirs.first {
            if own.peer <= their.peer { ours.removeFirst() }
            if their.peer <= own.peer { theirs.removeFirst() }
            if own.peer < their.peer {
                merged.append(own)
            } else if their.peer < own.peer {
                merged.append(their)
            } else {
                merged.append(own.counter > their.counter ? own : their)
            }
        }
        merged += ours + theirs
        guard merged.count <= Self.maximumPeerCount else { throw .tooManyPeers }
        var vector = VersionVector()
        vector.parts = merged
        return vector
    }

    /// Returns the vector after one more change by a peer.
    /// - Parameter used: the highest counter that the peer is known to have used for this game. No counter is used
    ///   twice, even if this vector does not include it.
    public func bumped(by peer: PeerID, beyond used: UInt64 = 0) throws(Refusal) -> VersionVector {
        let counter = max(self[peer], used)
        guard counter < Self.maximumCounter else { throw .exhausted }
        let place = place(of: peer)
        var vector = self
        if place < parts.count, parts[place].peer == peer {
            vector.parts[place] = Part(peer: peer, counter: counter + 1)
        } else {
            guard parts.count < Self.maximumPeerCount else { throw .tooManyPeers }
            vector.parts.insert(Part(peer: peer, counter: counter + 1), at: place)
        }
        return vector
    }

    /// Returns the index of a peer's counter, or the index at which it would be inserted.
    private func place(of peer: PeerID) -> Int {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].peer < peer { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension VersionVector.Part {
    /// - Parameters:
    ///   - peer: the peer
    ///   - counter: the number of its changes, never 0
    public init(_ peer: PeerID, _ counter: UInt64) {
        self.init(peer: peer, counter: counter)
    }
}

extension VersionVector: CustomStringConvertible {
    /// The short id and counter of each peer, for logs.
    public var description: String {
        "{" + parts.map { "\($0.peer.short): \($0.counter)" }.joined(separator: ", ") + "}"
    }
}
