import SaveRules

/// The messages of machines of a world about the one set.
enum WorldMessage {
    case heads([SnapshotHead])
    case ask(HistoryRequest)
    /// Snapshots as they travel: bytes.
    case history([[UInt8]])
    case wantPieces([PieceReference])
    case piece(PieceReference)
    case isWithout(PieceID)
}
