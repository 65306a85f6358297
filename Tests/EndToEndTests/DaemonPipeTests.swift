import Control
import Glibc
import LinuxPlatform
import TestSupport
import Testing

@Suite("Streams through the daemons", .timeLimit(.minutes(10)))
struct DaemonPipeTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    private struct Both {
        let desk: RunningDaemon
        let deck: RunningDaemon

        func stop() async throws {
            try await desk.stop()
            try await deck.stop()
        }
    }

    /// Starts both daemons, and pairs Desk with Deck.
    private func acquainted() async throws -> Both {
        let both = Both(desk: try await RunningDaemon.start(on: desk), deck: try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: both.desk)
        return both
    }

    /// Waits on Desk for the stream “log”.
    private func receiver() async throws -> ChildProcess {
        let program = try desk.start("pipe", "--receive", "log")
        var lines = try #require(program.standardError).lines().makeAsyncIterator()
        #expect(try await lines.next() == "huddle: waiting for a stream “log”; Ctrl-C ends")
        return program
    }

    @Test("A stream carries every byte in order, and both ends report that it was whole")
    func whole() async throws {
        let daemons = try await acquainted()
        for count in [0, 3_000_000] {
            let receiver = try await receiver()
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
            async let received = receiver.complete(outputLimit: 8 << 20, deadline: .seconds(60))
            let sending = try await deck.huddle("pipe", "Desk", "--as", "log", input: bytes, within: .seconds(60))
            #expect(sending.status == .exited(0), "\(sending.story)")
            let outcome = try await received
            #expect(outcome.status == .exited(0))
            // A comparison of so many bytes by the testing library takes minutes.
            let isWhole = outcome.standardOutput.bytes == bytes
            #expect(isWhole)
        }
        #expect(desk.home.text(at: "Downloads/log") == nil && desk.home.text(at: "Downloads/log.part") == nil)
        try await daemons.stop()
    }

    @Test("A stream goes to a file if no command waits for its name")
    func toFile() async throws {
        let daemons = try await acquainted()
        let sending = try await deck.huddle("pipe", "Desk", "--as", "notes", input: Array("some".utf8))
        #expect(sending.status == .exited(0), "\(sending.story)")
        #expect(desk.home.text(at: "Downloads/notes") == "some")
        #expect(desk.home.text(at: "Downloads/notes.part") == nil)
        let list = try await desk.huddle("inbox", "--list").output
        #expect(list.contains("Downloads/notes (4 B)"), "\(list)")
        try await daemons.stop()
    }

    @Test("A stream that is cut short leaves a listed file whose name says so")
    func cutShort() async throws {
        let daemons = try await acquainted()
        let events = try desk.start("events", "--json")
        var reported = try #require(events.standardOutput).lines().makeAsyncIterator()
        while let line = try await reported.next(), !line.contains("\"ready\"") {}
        try desk.home.put("of somebody else", at: "Downloads/notes.part")
        let sender = try deck.start("pipe", "Desk", "--as", "notes")
        try await sender.standardInput?.write(Array("some".utf8))
        while desk.home.text(at: "Downloads/notes (2).part") != "some" { try await othersTurn() }
        sender.send(SIGKILL)
        _ = try await sender.wait()
        while let line = try await reported.next(), !line.contains("\"stream-broke\"") {}
        #expect(desk.home.text(at: "Downloads/notes (2).part") == "some")
        #expect(desk.home.text(at: "Downloads/notes.part") == "of somebody else")
        #expect(desk.home.text(at: "Downloads/notes") == nil)
        let list = try await desk.huddle("inbox", "--list").output
        #expect(list.contains("Downloads/notes (2).part (4 B)"), "\(list)")
        _ = await events.terminate()
        try await daemons.stop()
    }

    @Test("A cut stream is reported at the other end, and both daemons continue")
    func senderKilled() async throws {
        let daemons = try await acquainted()
        let receiver = try await receiver()
        let sender = try deck.start("pipe", "Desk", "--as", "log")
        try await sender.standardInput?.write(Array("some".utf8))
        let output = try #require(receiver.standardOutput)
        #expect(try await output.read() == Array("some".utf8))
        sender.send(SIGKILL)
        let ending = try await receiver.wait()
        #expect(ending == .exited(13), "\(ending)")
        #expect(try await deck.huddle("msg", "Desk", "hello").status == .exited(0))
        try await daemons.stop()
    }

    @Test("The sender learns that the reader of its stream has gone")
    func receiverKilled() async throws {
        let daemons = try await acquainted()
        let receiver = try await receiver()
        let sender = try deck.start("pipe", "Desk", "--as", "log")
        let input = try #require(sender.standardInput)
        try await input.write(Array("some".utf8))
        let output = try #require(receiver.standardOutput)
        #expect(try await output.read() == Array("some".utf8))
        receiver.send(SIGKILL)
        // The sender learns it only when it writes again.
        while (try? await input.write([UInt8](repeating: 7, count: 65_536))) != nil {}
        let ending = try await sender.complete(deadline: .seconds(60))
        #expect(ending.status == .exited(6) || ending.status == .exited(13), "\(ending.story)")
        #expect(ending.standardError.text.hasPrefix("error: "), "\(ending.story)")
        #expect(try await deck.huddle("msg", "Desk", "hello").status == .exited(0))
        try await daemons.stop()
    }

    @Test("A stream without enough disk space is listed as far as it came, and the sender learns why")
    func noRoom() async throws {
        let daemons = try await acquainted()
        let limit = ["--pid", "\(daemons.desk.program.identifier)", "--fsize=1048576"]
        let limited = try await ChildProcess.run(ProgramLaunch("prlimit", limit), deadline: .seconds(60))
        #expect(limited.status.isSuccess, "\(limited.story)")
        let bytes = [UInt8](repeating: 7, count: 3_000_000)
        let sending = try await deck.huddle("pipe", "Desk", "--as", "notes", input: bytes, within: .seconds(60))
        #expect(sending.status == .exited(6), "\(sending.story)")
        let words = "error: the other side has ended the stream: its file is larger than"
        #expect(sending.standardError.text.hasPrefix(words), "\(sending.story)")
        let list = try await desk.huddle("inbox", "--list").output
        #expect(list.contains("Downloads/notes.part ("), "\(list)")
        let none = try await deck.huddle("pipe", "Desk", "--as", "more", input: Array("some".utf8))
        #expect(none.status == .exited(0), "\(none.story)")
        try await daemons.stop()
    }

    @Test("A stream to an unknown machine fails at once with the reason")
    func unknown() async throws {
        let daemon = try await RunningDaemon.start(on: deck)
        let sending = try await deck.huddle("pipe", "Nobody", "--wait", "0s", input: Array("some".utf8))
        #expect(sending.status == .exited(4), "\(sending.story)")
        try await daemon.stop()
    }
}
