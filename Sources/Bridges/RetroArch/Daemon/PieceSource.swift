import SaveRules
import SaveSync

/// The pieces of a file, one after the other.
actor PieceSource {
    private let pieces: [PieceReference]
    private let games: any BridgedGames
    private var place = 0

    init(_ pieces: [PieceReference], _ games: any BridgedGames) { (self.pieces, self.games) = (pieces, games) }

    func next() async throws -> [UInt8]? {
        guard place < pieces.count else { return nil }
        place += 1
        return try await games.bytes(of: pieces[place - 1].id)
    }
}
