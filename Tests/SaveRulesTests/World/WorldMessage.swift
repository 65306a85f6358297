import SaveRules

/// What machines of a world send each other about the one set.
enum WorldMessage {
    case heads([SnapshotHead])
    case ask(HistoryRequest)
    /// Snapshots as they travel: bytes.
    case history([[UInt8]])
    case wantPieces([PieceReference])
    case piece(PieceReference)
    case lacks(PieceID)
}
