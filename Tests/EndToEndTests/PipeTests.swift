import Glibc
import LinuxPlatform
import Testing

@Suite("a pipe between two machines", .timeLimit(.minutes(10)))
struct PipeTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    /// They have met, and this port is free.
    private func acquainted() async throws -> String {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        try await inbox.stop()
        return String(try #require(await inbox.address.split(separator: ":").last))
    }

    private func receiver(_ port: String) async throws -> ChildProcess {
        let program = try desk.start(
            "pipe",
            "--receive",
            "log",
            "--address",
            "127.0.0.1",
            "--no-advertise",
            "--no-browse",
            "--port",
            port
        )
        var lines = try #require(program.standardError).lines().makeAsyncIterator()
        _ = try await lines.next()
        return program
    }

    @Test("carries every byte, and both ends say that it was whole")
    func whole() async throws {
        let port = try await acquainted()
        let receiver = try await receiver(port)
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        async let received = receiver.complete(outputLimit: 8 << 20, deadline: .seconds(120))
        let sending = try await deck.huddle(
            ["pipe", "Desk", "--as", "log", "--no-browse"],
            input: bytes,
            within: .seconds(120)
        )
        #expect(sending.status == .exited(0), "\(sending.story)")
        let outcome = try await received
        #expect(outcome.status == .exited(0))
        // To say how so many bytes differ takes minutes, in which nothing else goes on.
        let isWhole = outcome.standardOutput.bytes == bytes
        #expect(isWhole)
    }

    @Test("that is cut says so at the other end")
    func cut() async throws {
        let port = try await acquainted()
        let receiver = try await receiver(port)
        let sender = try deck.start("pipe", "Desk", "--as", "log", "--no-browse")
        try await sender.standardInput?.write(Array("some".utf8))
        var output = try #require(receiver.standardOutput).lines(limit: 4).makeAsyncIterator()
        #expect(try await output.next() == "some")
        sender.send(SIGKILL)
        #expect(try await receiver.wait() == .exited(13))
    }
}
