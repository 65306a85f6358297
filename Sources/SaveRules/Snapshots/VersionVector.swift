public import Vocabulary

/// How much of what each peer did to a set went into a version of it: for each peer a number that only it raises. Which of
/// two versions is newer follows from these numbers alone; no clock has a say.
public struct VersionVector: Hashable, Sendable {
    /// How many peers may have had a part in a set: eight machines that get a new key each year need eight years for as many.
    public static let maximumPeerCount = 64
    /// The highest value of a counter. No game saves that often.
    public static let maximumCounter: UInt64 = 1 << 62

    /// The relation of one version to another.
    public enum Order: Hashable, Sendable {
        /// The same was done.
        case equal
        /// All that was done for this one was done for the other too, and more.
        case before
        /// The other way round.
        case after
        /// Each has something that is not in the other.
        case concurrent
    }

    /// A peer's part.
    public struct Part: Hashable, Sendable {
        /// Who.
        public let peer: PeerID
        /// How many things, never 0.
        public let counter: UInt64
    }

    /// Why a version can't grow.
    public enum Refusal: Error, Hashable, Sendable {
        /// There would be more than 64 peers in it.
        case tooManyPeers
        /// A counter is at its end.
        case exhausted
    }

    /// The parts of all peers that have one, by ascending id.
    public private(set) var parts: [Part]

    /// Nothing was done yet.
    public init() {
        parts = []
    }

    /// - Parameter parts: by ascending id, each once, no counter 0; nil otherwise
    public init?(_ parts: [Part]) {
        guard parts.count <= Self.maximumPeerCount,
            parts.allSatisfy({ (1...Self.maximumCounter).contains($0.counter) }),
            zip(parts, parts.dropFirst()).allSatisfy({ $0.peer < $1.peer })
        else { return nil }
        self.parts = parts
    }

    /// How many saves of all machines it counts.
    public var total: UInt64 {
        parts.reduce(0) { sum, part in
            let (total, isOver) = sum.addingReportingOverflow(part.counter)
            return isOver ? .max : total
        }
    }

    /// True if no machine did anything.
    public var isEmpty: Bool { parts.isEmpty }

    /// A peer's counter; 0 where it has no part.
    public subscript(peer: PeerID) -> UInt64 {
        let place = place(of: peer)
        return place < parts.count && parts[place].peer == peer ? parts[place].counter : 0
    }

    /// The relation of this version to another.
    public func compared(to other: VersionVector) -> Order {
        switch (isWithin(other), other.isWithin(self)) {
        case (true, true): .equal
        case (true, false): .before
        case (false, true): .after
        case (false, false): .concurrent
        }
    }

    /// True if the other has all of this, or the same.
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

    /// The least version that has all of both.
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

    /// The version after a peer did one more thing.
    /// - Parameter used: the highest number that the peer is known to have used for this set, so that none is used twice
    ///   even where this version knows nothing of it
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

    /// The index of a peer's part, or the index at which it would be.
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
    ///   - peer: who
    ///   - counter: how many things, never 0
    public init(_ peer: PeerID, _ counter: UInt64) {
        self.init(peer: peer, counter: counter)
    }
}

extension VersionVector: CustomStringConvertible {
    /// Each peer's short id and counter, for logs.
    public var description: String {
        "{" + parts.map { "\($0.peer.short): \($0.counter)" }.joined(separator: ", ") + "}"
    }
}
