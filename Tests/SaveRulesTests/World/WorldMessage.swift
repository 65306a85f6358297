import SaveRules

/// The messages of a world's machines about their one game.
enum WorldMessage {
    case heads([SnapshotHead])
    case ask(HistoryRequest)
    /// Encoded snapshots.
    case history([[UInt8]])
    case wantPieces([PieceReference])
    case piece(PieceReference)
    case isWithout(PieceID)
}
