import Ledger
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Session

@Suite("Following the ledger", .timeLimit(.minutes(5)))
@Engine
struct StoreFollowerTests {
    private final class Seen {
        var failures = 0
        var taken = 0
        var reported: [String] = []
    }

    @Test("the follower goes on after an error, reads the changes that it missed, and reports it once")
    func goesOn() async throws {
        let folder = TemporaryFolder()
        let ledger = try await Ledger.open(at: folder.path + "/huddle")
        let other = try await Ledger.open(at: folder.path + "/huddle")
        let seen = Seen()
        let following = StoreFollower(ledger, pause: .milliseconds(1)) {
            guard seen.failures == 3 else {
                seen.failures += 1
                throw SessionError(.full)
            }
            seen.taken += 1
        } report: {
            seen.reported.append($0.code.description)
        }
        let running = Task(executorPreference: EventLoop.shared.taskExecutor) { await following.run() }
        // The follower reports nothing before it follows, so the test makes changes until it does.
        while seen.failures == 0 {
            try await other.note("one")
            await Task.yield()
        }
        while seen.taken == 0 { try await othersTurn() }
        let taken = seen.taken
        try await other.note("another")
        while seen.taken == taken { try await othersTurn() }
        #expect(seen.reported == ["session.full"])
        running.cancel()
        await running.value
    }
}
