@testable import SaveSync
import LinuxPlatform
import Session
import Testing

@Suite("A peer that is dialled", .timeLimit(.minutes(1)))
struct PeerDialTests {
    @Test(
        "a peer that left an invitation unanswered is asked again once it is connected, however long the pause was to be"
    )
    @Engine
    func connected() async throws {
        let dial = PeerDial()
        dial.wasLeftUnanswered()
        let pausing = Task { @Engine in try await dial.pause(for: .seconds(3600)) }
        while !dial.isPausing { await Task.yield() }
        // A user in a hurry changes nothing: the peer may still give no answer.
        dial.hurry()
        #expect(dial.isPausing)
        dial.linkCameUp()
        try await pausing.value
        #expect(!dial.isPausing)
    }
}
