import LinuxPlatform
import Session
import TestSupport
import Testing

@testable import SaveSync

@Engine
@Suite("The rest after work", .timeLimit(.minutes(2)))
struct IdleTimerTests {
    private let rests = Probe(0)

    private func resting(after quiet: Duration, within patience: Duration) -> IdleTimer {
        let rests = rests
        return IdleTimer(after: quiet, within: patience) { rests.count() }
    }

    @Test("the rest comes after a while without work, and again after more work")
    func quiet() async throws {
        let resting = resting(after: .milliseconds(20), within: .seconds(600))
        for count in 1...2 {
            resting.worked()
            resting.worked()
            _ = try await rests.wait { $0 == count }
        }
    }

    @Test("the rest comes after a longer while although there is work again and again")
    func busy() async throws {
        let resting = resting(after: .seconds(600), within: .milliseconds(20))
        for count in 1...2 {
            resting.worked()
            _ = try await rests.wait { $0 == count }
        }
    }

    @Test("the rest does not come if it was cancelled")
    func calledOff() async throws {
        let (resting, other) = (resting(after: .milliseconds(1), within: .seconds(1)), Probe(0))
        resting.worked()
        resting.cancel()
        let later = IdleTimer(after: .milliseconds(20), within: .seconds(1)) { other.count() }
        later.worked()
        _ = try await other.wait { $0 == 1 }
        #expect(rests.value == 0)
    }
}
