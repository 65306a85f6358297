import LinuxPlatform
import Session
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Household

@Suite("A stream that a program waits for", .timeLimit(.minutes(4)))
@Engine
struct StreamReceptionTests {
    @Test("A stream that comes after the wait has ended goes to the inbox")
    func goneMeanwhile() async throws {
        try await withStream { host, guest, incoming, outgoing in
            async let written: Void = write("to the end", to: outgoing)
            let reception = host.household.expect(incoming.name, from: nil)
            let waiting = Task(executorPreference: EventLoop.shared.taskExecutor) {
                try await reception.take({ _ in }, into: { _ in Issue.record("the wait has ended") })
            }
            for _ in 0..<100 { await Task.yield() }
            waiting.cancel()
            // Before the caller that waited can report its cancellation.
            try await host.household.take(incoming, guest)
            await #expect(throws: CancellationError.self) { try await waiting.value }
            try await written
            #expect(host.folder.text(at: "inbox/log") == "to the end")
        }
    }

    @Test("A stream that breaks before its first byte leaves nothing in the inbox")
    func brokenAtOnce() async throws {
        try await withStream { host, guest, incoming, outgoing in
            async let aborted: Void = outgoing.abort()
            try await host.household.take(incoming, guest)
            await aborted
            #expect(host.folder.names(in: "inbox").isEmpty)
        }
    }

    @Test("A stream goes into its file without a thread of its own, however many there are")
    func manyStreams() async throws {
        let (guest, host) = (try await Home("Deck"), try await Home("Desk"))
        guest.run()
        host.run()
        try await guest.knows(host)
        try await host.knows(guest)
        let session = guest.node.session(SessionConfiguration(name: try Label("chat"), topology: .pair))
        try await guest.node.invite(.address(try host.address), to: session)
        var streams: [OutgoingStream] = []
        for number in 0..<16 {
            let stream = try await session.openStream(named: try Label("log\(number)"), to: host.node.id)
            try await stream.write([7])
            streams.append(stream)
        }
        for number in 0..<16 {
            while host.folder.text(at: "inbox/log\(number).part")?.isEmpty ?? true {
                // because no event reports that a file was written
                try await Engine.loop.sleep(for: .milliseconds(5))
            }
        }
        #expect(OwnProcess.threads().filter { $0.name == "stream" }.count < 8)
        for stream in streams { try await stream.finish() }
        await guest.end()
        await host.end()
    }

    /// A stream that has arrived at a machine whose household does not take it by itself.
    private func withStream(
        _ body: (_ host: Home, _ guest: PeerTag, IncomingStream, OutgoingStream) async throws -> Void
    ) async throws {
        let (guest, host) = (try await Home("Deck"), try await Home("Desk"))
        guest.run()
        host.runNode()
        try await guest.knows(host)
        try await host.knows(guest)
        let session = guest.node.session(SessionConfiguration(name: try Label("chat"), topology: .pair))
        async let invited = guest.node.invite(.address(try host.address), to: session)
        let there = try await joined(host.node)
        _ = try await invited
        async let opened = session.openStream(named: try Label("log"), to: host.node.id)
        let (incoming, outgoing) = (try await stream(there), try await opened)
        try await body(host, PeerTag(guest.node.id, nil), incoming, outgoing)
        await guest.end()
        await host.end()
    }

    private func write(_ text: String, to stream: OutgoingStream) async throws {
        try await stream.write(Array(text.utf8))
        try await stream.finish()
    }

    private func joined(_ node: Node) async throws -> Session {
        while let event = await node.events.next() {
            if case .joined(let session, _) = event { return session }
        }
        throw CancellationError()
    }

    private func stream(_ session: Session) async throws -> IncomingStream {
        while let event = await session.events.next() {
            if case .stream(let stream) = event { return stream }
        }
        throw CancellationError()
    }
}
