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
        let numbers = try await ledger.inboxNumbers()
        var (new, unreadable) = ([Int64](), 0)
        for number in numbers {
            do {
                guard let item = try await ledger.inboxItem(number) else { continue }
                try await report.tell(.arrived(item))
                if !item.isLookedAt { new.append(number) }
            } catch let error as LedgerError where error.code == LedgerError.unreadableCode {
                unreadable += 1
            }
        }
        if numbers.isEmpty, !given[LookingOptions.json] {
            await report.complain("nothing has arrived yet; `huddle inbox` takes what comes")
        }
        if unreadable > 0 {
            await report.complain(
                "\(unreadable) entries can't be read: they were written by a newer huddle or changed by hand"
            )
        }
        try await ledger.markLookedAt(new)
        return .success
    }
}
