import SaveRules

/// The requests to one peer, in the order in which it answers them. A piece that the peer does not have for one version
/// says nothing about another version. At most as many requests are open as an honest peer accepts.
struct PieceRequests {
    /// A request for pieces of one version.
    struct Want {
        let set: SaveSetID
        let epoch: ExchangeEpoch
        let snapshot: SnapshotID
        let pieces: [PieceReference]
        /// The pieces that have not come, with the expected length of each.
        fileprivate var open: [PieceID: Int]

        init(_ set: SaveSetID, _ epoch: ExchangeEpoch, _ snapshot: SnapshotID, _ pieces: [PieceReference]) {
            (self.set, self.epoch, self.snapshot, self.pieces) = (set, epoch, snapshot, pieces)
            open = Dictionary(pieces.lazy.map { ($0.id, $0.length) }) { first, _ in first }
        }
    }

    private var waiting: [Want] = []
    private var asked: [Want] = []

    /// True if a request is not answered yet.
    var areOpen: Bool { !asked.isEmpty }

    mutating func add(_ want: Want) { waiting.append(want) }

    /// Returns the next request to send; nil if there is none.
    /// - Parameter limit: the number of requests that may be open
    mutating func next(limit: Int) -> Want? {
        guard asked.count < limit, !waiting.isEmpty else { return nil }
        let want = waiting.removeFirst()
        asked.append(want)
        return want
    }

    /// Forgets the requests for a game. The peer is asked for none of it, or for all of it again.
    mutating func forget(_ set: SaveSetID) {
        waiting.removeAll { $0.set == set }
        asked.removeAll { $0.set == set }
    }

    /// Handles an answer about a piece. Returns the version for which the piece was requested, and its expected length;
    /// nil if it was not requested.
    mutating func answered(
        _ piece: PieceID,
        of set: SaveSetID,
        _ epoch: ExchangeEpoch
    ) -> (snapshot: SnapshotID, length: Int)? {
        for place in asked.indices where asked[place].set == set && asked[place].epoch == epoch {
            guard let length = asked[place].open.removeValue(forKey: piece) else { continue }
            let snapshot = asked[place].snapshot
            if asked[place].open.isEmpty { asked.remove(at: place) }
            return (snapshot, length)
        }
        return nil
    }
}
