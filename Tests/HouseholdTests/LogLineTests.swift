import Ledger
import TestSupport
import Testing

@testable import Household

@Suite("A line of the log", .timeLimit(.minutes(2)))
struct LogLineTests {
    @Test(
        "a line tells in words how many notes about strangers were not written",
        arguments: [("4020", "20", "4,020 more from 20 addresses"), ("1", "1", "1 more from 1 address")]
    )
    func strangersMore(count: String, addresses: String, words: String) async throws {
        let folder = TemporaryFolder()
        let ledger = try await Ledger.open(at: folder.path + "/huddle")
        let details: [AuditEntry.Detail] = [.init("count", count), .init("addresses", addresses)]
        try await ledger.note("strangers-more", details, of: .stranger)
        let line = DaemonLine.logged(try #require(try await ledger.audit().values.first), nil)
        #expect(line.sentence?.hasSuffix(words) == true, "\(line.sentence ?? "")")
        guard case .logEntry(let entry) = line.event else {
            Issue.record("it is no entry of the log")
            return
        }
        #expect(entry.details == ["count": count, "addresses": addresses])
    }
}
