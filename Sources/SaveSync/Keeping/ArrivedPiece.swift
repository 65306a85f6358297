import SaveRules

/// A piece as a peer sent it.
struct ArrivedPiece: Sendable {
    /// The name under which the peer sent it.
    let id: PieceID
    let bytes: [UInt8]
    /// True if it has the length that the peer named.
    let isWhole: Bool
}
