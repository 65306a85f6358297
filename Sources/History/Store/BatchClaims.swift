import SaveRules

/// The pieces that each living batch has put or claimed. They must not be collected.
struct BatchClaims {
    /// The pieces by the numbers of their batches.
    var pieces: [Int: Set<PieceID>] = [:]
    private var last = 0

    /// Begins a batch.
    ///
    /// - Returns: its number
    mutating func begin() -> Int {
        last += 1
        pieces[last] = []
        return last
    }

    func include(_ id: PieceID) -> Bool {
        pieces.values.contains { $0.contains(id) }
    }
}
