import Session

/// What a peer has asked for and nobody has answered yet, in the order in which it was asked.
struct WaitingAnswers: ~Copyable {
    /// What one takes at the most: 256 names of pieces, or of versions.
    private static let byteCount = 12 << 10

    private var answers: [SavePeer.Answer] = []
    private var holding: Holding

    init(of allowance: Allowance) {
        holding = Holding(of: allowance, free: 4 * Self.byteCount)
    }

    var count: Int { answers.count }

    /// Answers whether the peer has room for one more.
    mutating func append(_ answer: SavePeer.Answer) -> Bool {
        guard holding.hold((answers.count + 1) * Self.byteCount) else { return false }
        answers.append(answer)
        return true
    }

    mutating func removeFirst() -> SavePeer.Answer? {
        guard !answers.isEmpty else { return nil }
        defer { account() }
        return answers.removeFirst()
    }

    mutating func removeAll(where isMeant: (SavePeer.Answer) -> Bool) {
        answers.removeAll(where: isMeant)
        account()
    }

    private mutating func account() { _ = holding.hold(answers.count * Self.byteCount) }
}
