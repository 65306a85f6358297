import Glibc
import LinuxPlatform
import TestSupport
import Testing

@Suite("A daemon that does not respond", .timeLimit(.minutes(5)))
struct StoppedDaemonTests {
    private let desk = Machine("Desk")

    @Test("A command reports a silent daemon in time, and Ctrl-C ends the wait at once")
    func stopped() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        daemon.program.send(SIGSTOP)
        // All commands wait equally long.
        async let status = desk.huddle("status")
        async let saves = desk.huddle("list", "--json")
        async let message = desk.huddle("msg", "Deck", "hello")
        try await interrupted()
        for ended in [try await status, try await saves, try await message] {
            #expect(ended.status == .exited(30), "\(ended.story)")
            #expect(ended.story.contains("systemctl --user restart huddled"), "\(ended.story)")
        }
        daemon.program.send(SIGCONT)
        #expect(try await desk.huddle("status").status == .exited(0))
        try await daemon.stop()
    }

    @Test("A command that follows events waits for the next daemon and continues")
    func restarted() async throws {
        let first = try await RunningDaemon.start(on: desk)
        let events = try desk.start("events", "--json")
        var reported = try #require(events.standardOutput).lines().makeAsyncIterator()
        #expect(try await reported.next()?.contains(#""event":"ready""#) == true)
        try await first.stop()
        let second = try await RunningDaemon.start(on: desk)
        #expect(try await reported.next()?.contains(#""event":"ready""#) == true)
        events.send(SIGINT)
        let ended = try await events.complete(deadline: .seconds(60))
        #expect(ended.status == .exited(0), "\(ended.story)")
        #expect(ended.standardError.text.contains("huddled has ended; waiting until it is back"), "\(ended.story)")
        try await second.stop()
    }

    /// Runs a command and interrupts it. The command ends by itself after ten seconds, so on a busy machine this tries
    /// again.
    private func interrupted() async throws {
        while true {
            let began = ContinuousClock.now
            let impatient = try desk.start("peers")
            var words = try #require(impatient.standardError).lines().makeAsyncIterator()
            #expect(try await words.next()?.contains("huddled has not answered for") == true)
            let isLate = began.duration(to: .now) > .seconds(8)
            impatient.send(SIGINT)
            let ending = try await impatient.wait()
            if isLate, ending == .exited(30) { continue }
            #expect(ending == .exited(130))
            return
        }
    }
}
