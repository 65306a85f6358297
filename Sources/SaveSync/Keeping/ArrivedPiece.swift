import SaveRules

/// A piece as a peer sent it.
struct ArrivedPiece: Sendable {
    /// What it is said to be.
    let id: PieceID
    let bytes: [UInt8]
    /// Whether it is as long as it was said to be.
    let isWhole: Bool
}
