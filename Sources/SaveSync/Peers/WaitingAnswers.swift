import Session

/// The requests of a peer that wait for an answer, in their order.
struct WaitingAnswers: ~Copyable {
    /// The largest size of a request: 256 IDs of pieces or of versions.
    private static let byteCount = 12 << 10

    private var answers: [SaveAnswer] = []
    private var holding: Holding

    init(of allowance: Allowance) {
        holding = Holding(of: allowance, free: 4 * Self.byteCount)
    }

    var count: Int { answers.count }

    /// Adds a request. Returns false if the peer has no room for one more.
    mutating func append(_ answer: SaveAnswer) -> Bool {
        guard holding.hold((answers.count + 1) * Self.byteCount) else { return false }
        answers.append(answer)
        return true
    }

    mutating func removeFirst() -> SaveAnswer? {
        guard !answers.isEmpty else { return nil }
        defer { account() }
        return answers.removeFirst()
    }

    mutating func removeAll(where isMeant: (SaveAnswer) -> Bool) {
        answers.removeAll(where: isMeant)
        account()
    }

    private mutating func account() { _ = holding.hold(answers.count * Self.byteCount) }
}
