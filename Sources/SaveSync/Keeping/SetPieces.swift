import SaveRules

/// Which pieces are known to be of one set. The history keeps those of all sets together; whoever has part in one of them would learn what
/// the others hold, were every piece that is there taken for this set's.
struct SetPieces {
    /// So many names are remembered at the most. What is forgotten comes once more where it is wanted again.
    static let most = 1 << 20

    /// What came for the set and is of no whole version yet.
    private var came: Set<PieceID>
    /// What versions hold, as far as it was looked.
    private var held: Set<PieceID> = []
    /// The versions that were looked into.
    private var known: Set<SnapshotID> = []

    /// - Parameter came: what came before
    init(came: Set<PieceID> = []) { self.came = came }

    func has(_ piece: PieceID) -> Bool { came.contains(piece) || held.contains(piece) }

    /// How many names are remembered because versions hold them.
    var heldCount: Int { held.count }

    func knows(_ version: SnapshotID) -> Bool { known.contains(version) }

    mutating func takes(_ piece: PieceID) {
        if came.count >= Self.most { came = [] }
        came.insert(piece)
    }

    /// A version has these, whatever else it may have.
    mutating func holds(_ pieces: some Sequence<PieceReference>) { held.formUnion(pieces.lazy.map(\.id)) }

    /// A version has these, and its manifest's pieces, and no more.
    mutating func holds(_ pieces: some Sequence<PieceReference>, allOf version: SnapshotID) {
        holds(pieces)
        known.insert(version)
    }

    /// What came is of a whole version now.
    mutating func forgetArrivals() { came = [] }

    /// What versions hold may be another thing by now, or is not asked for any more.
    mutating func forgetVersions() { (held, known) = ([], []) }
}
