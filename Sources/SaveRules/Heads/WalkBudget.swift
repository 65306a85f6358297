/// The number of versions that may be read to answer a question about ancestry. A peer can invent a history of any
/// length and shape, and the cost of judging it must not grow with that. Beyond the budget only version vectors decide.
final class WalkBudget {
    /// The budget of one question. A machine that was offline for a year, while a game was saved 36 times a day, is
    /// 13,140 versions behind.
    static let oneQuestion = 1 << 14

    private var left: Int

    init(_ steps: Int = oneQuestion) { left = steps }

    /// Takes one step.
    /// - Returns: false if none was left
    func take() -> Bool {
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
