import SaveRules

/// What a peer was asked for, in the order in which it was asked: it answers in that order, and what it lacks of one snapshot says nothing of
/// another's. So many are open at a time that no honest peer hangs up.
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

    /// Whether something was asked and is not answered.
    var areOpen: Bool { !asked.isEmpty }

    mutating func add(_ want: Want) { waiting.append(want) }

    /// What is to be asked now.
    /// - Parameter limit: how many may be open
    mutating func next(limit: Int) -> Want? {
        guard asked.count < limit, !waiting.isEmpty else { return nil }
        let want = waiting.removeFirst()
        asked.append(want)
        return want
    }

    /// Nothing of a set is wanted of the peer any more, or all of it anew.
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
