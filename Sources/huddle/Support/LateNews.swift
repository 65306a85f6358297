import Household
import Session

/// What comes of things after a command has been asked to end, while the node takes its leave.
@Engine
final class LateNews {
    private var reader: NewsReader?

    nonisolated init() {}

    /// From now on.
    func follow(_ household: Household) { reader = household.news.follow() }

    /// What has come of things: how far they were on the way, and who left, is of no interest any more.
    func all() -> [SessionNews] { (reader?.rest() ?? []).filter { Self.outcomes.contains($0.event) } }

    private static let outcomes: Set = ["received", "not-received", "message", "trouble"]
}
