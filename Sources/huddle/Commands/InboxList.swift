import CommandTable
import Household
import Ledger
import Vocabulary

/// What has arrived, for somebody who was not looking.
struct InboxList {
    private let given: GivenValues
    private let report: SessionReport

    init(_ given: GivenValues, _ console: Console) {
        self.given = given
        report = SessionReport(asJSON: given[LookingOptions.json], console)
    }

    /// Newest last, where the eye is. What was shown counts as looked at.
    func show() async throws -> ExitCode {
        let ledger = try await StateFolder.ledger(given)
        let items = try await ledger.inbox()
        for item in items.values.reversed() { try await report.tell(.arrived(item)) }
        if items.values.isEmpty, !given[LookingOptions.json] {
            await report.complain("nothing has arrived yet; `huddle inbox` takes what comes")
        }
        if items.unreadable > 0 {
            await report.complain(
                "\(items.unreadable) entries can't be read: they were written by a newer huddle or changed by hand"
            )
        }
        try await ledger.markLookedAt(items.values.filter { !$0.isLookedAt }.map(\.number))
        return .success
    }
}
