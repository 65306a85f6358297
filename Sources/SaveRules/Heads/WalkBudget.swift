/// How many snapshots may be read to answer a question about ancestry. A peer can make up a history of any length and shape; what it
/// costs to judge it must not grow with that. Beyond the budget the versions alone are believed, as beyond what is known.
final class WalkBudget {
    /// The cost that one question may have. A machine that was offline for a year while a game was saved 36 times a day is 13,140 versions behind.
    static let oneQuestion = 1 << 14

    private var left: Int

    init(_ steps: Int = oneQuestion) { left = steps }

    /// Takes one step. Answers whether there was one left.
    func take() -> Bool {
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
