import SaveRules

/// The pieces that are known to belong to one game.
///
/// The history stores the pieces of all games together. If every stored piece counted for this game, a machine that
/// shares only this game could learn which pieces the others have.
struct SetPieces {
    /// The limit of remembered piece IDs of all games: of those that came, and of those that versions have. A forgotten
    /// piece is fetched once more if it is needed again.
    static let most = 1 << 18

    /// Pieces that came for the game and belong to no whole version yet.
    private var came: Set<PieceID>
    /// Pieces of the versions that were read so far.
    private var held: Set<PieceID> = []
    /// The versions that were read.
    private var known: Set<SnapshotID> = []

    /// - Parameter came: pieces that came before a restart
    init(came: Set<PieceID> = []) { self.came = came }

    func has(_ piece: PieceID) -> Bool { came.contains(piece) || held.contains(piece) }

    /// The number of pieces that came.
    var cameCount: Int { came.count }

    /// The number of pieces that are remembered because versions have them.
    var heldCount: Int { held.count }

    func knows(_ version: SnapshotID) -> Bool { known.contains(version) }

    mutating func takes(_ piece: PieceID) {
        if came.count >= Self.most { came = [] }
        came.insert(piece)
    }

    /// Notes some pieces of a version. It may have more.
    mutating func holds(_ pieces: some Sequence<PieceReference>) { held.formUnion(pieces.lazy.map(\.id)) }

    /// Notes all pieces of a version, with those of its manifest.
    mutating func holds(_ pieces: some Sequence<PieceReference>, allOf version: SnapshotID) {
        holds(pieces)
        known.insert(version)
    }

    /// Forgets the pieces that came. They belong to a whole version now.
    mutating func forgetArrivals() { came = [] }

    /// Forgets the pieces of versions. They may have changed, or no peer asks for them now.
    mutating func forgetVersions() { (held, known) = ([], []) }
}
