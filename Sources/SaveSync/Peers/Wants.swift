import SaveRules

/// The requests to one peer, in the order in which it answers them. A piece that it does not have of one version says nothing about another
/// version. As many are open at a time as an honest peer accepts.
struct Wants {
    /// Pieces of one snapshot.
    struct Want {
        let set: SaveSetID
        let ticket: SaveTicket
        let snapshot: SnapshotID
        let pieces: [PieceReference]
        /// Those that have not come, and how long each is to be.
        fileprivate var open: [PieceID: Int]

        init(_ set: SaveSetID, _ ticket: SaveTicket, _ snapshot: SnapshotID, _ pieces: [PieceReference]) {
            (self.set, self.ticket, self.snapshot, self.pieces) = (set, ticket, snapshot, pieces)
            open = Dictionary(pieces.lazy.map { ($0.id, $0.length) }) { first, _ in first }
        }
    }

    private var waiting: [Want] = []
    private var asked: [Want] = []

    /// True if something was asked and is not answered.
    var areOpen: Bool { !asked.isEmpty }

    mutating func add(_ want: Want) { waiting.append(want) }

    /// The next request to send; nil if there is none.
    /// - Parameter limit: how many may be open
    mutating func next(limit: Int) -> Want? {
        guard asked.count < limit, !waiting.isEmpty else { return nil }
        let want = waiting.removeFirst()
        asked.append(want)
        return want
    }

    /// The peer is asked for nothing of a game, or for all of it again.
    mutating func forget(_ set: SaveSetID) {
        waiting.removeAll { $0.set == set }
        asked.removeAll { $0.set == set }
    }

    /// The peer has said something of a piece. Answers for which snapshot it was asked, and how long it is to be; nil where it was not asked.
    mutating func answered(
        _ piece: PieceID,
        of set: SaveSetID,
        _ ticket: SaveTicket
    ) -> (snapshot: SnapshotID, length: Int)? {
        for place in asked.indices where asked[place].set == set && asked[place].ticket == ticket {
            guard let length = asked[place].open.removeValue(forKey: piece) else { continue }
            let snapshot = asked[place].snapshot
            if asked[place].open.isEmpty { asked.remove(at: place) }
            return (snapshot, length)
        }
        return nil
    }
}
