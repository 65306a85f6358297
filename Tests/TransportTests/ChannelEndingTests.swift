import LinuxPlatform
import Testing
import TestSupport
import Transport

@Suite("The end of a channel", .timeLimit(.minutes(5)))
struct ChannelEndingTests {
    let loop = EventLoop(named: "ending loop")

    @Test("Sent bytes arrive after a close, although bytes on this side are unread")
    func closeWithUnread() async throws {
        let pair = try await ChannelPair(on: loop)
        let sent = pattern(100_000)
        try await pair.answerer.send(pattern(50_000))
        try await pair.dialler.send(sent)
        async let closed: Void = pair.dialler.close(within: .seconds(20))
        #expect(try await receiveToEnd(from: pair.answerer) == sent)
        await pair.answerer.close()
        await closed
        #expect(await channelError { try await pair.dialler.receive(upTo: 1) } == .closed)
    }

    @Test("A close wakes a waiting receiver, and a second close does nothing")
    func closeWakes() async throws {
        let pair = try await ChannelPair(on: loop)
        let waiting = Task { await channelError { try await pair.dialler.receive(upTo: 1) } }
        async let farEnd = receiveToEnd(from: pair.answerer)
        await pair.dialler.close(within: .milliseconds(50))
        #expect(await waiting.value == .closed)
        #expect(try await farEnd == [])
        await pair.dialler.close()
    }

    @Test("A close never takes longer than its limit, whatever the other side does")
    func closeDeadline() async throws {
        let pair = try await ChannelPair(on: loop)
        let start = ContinuousClock.now
        await pair.dialler.close(within: .milliseconds(50))
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("A close while a task sends cuts the channel: a clean end would be false")
    func closeWhileSending() async throws {
        let pair = try await ChannelPair(on: loop)
        // More than all buffers on the way hold, so the send lasts until the other side reads.
        let long = pattern(64 << 20)
        let sender = Task { await channelError { try await pair.dialler.send(long) } }
        _ = try await pair.answerer.receive(upTo: 1)
        await pair.dialler.close()
        #expect(await sender.value == .closed)
        guard case .lost = await channelError({ try await receiveToEnd(from: pair.answerer) }) else {
            Issue.record("the cut looked like an end")
            return
        }
    }

    @Test("An abort wakes the waiting tasks on both sides")
    func abortWakes() async throws {
        let pair = try await ChannelPair(on: loop)
        let near = Task { await channelError { try await pair.dialler.receive(upTo: 1) } }
        let far = Task { await channelError { try await pair.answerer.receive(upTo: 1) } }
        pair.dialler.abort()
        #expect(await near.value == .closed)
        #expect(await far.value == .lost(nil))
    }

    @Test("A channel is cut when its last reference goes")
    func letGo() async throws {
        let far = try await { try await ChannelPair(on: loop).answerer }()
        guard case .lost = await channelError({ try await far.receive(upTo: 1) }) else {
            Issue.record("it lived on")
            return
        }
    }

    @Test("A cancelled receiver loses no bytes for the next one")
    func cancelledReceiver() async throws {
        let pair = try await ChannelPair(on: loop)
        for round in 0..<50 as Range<UInt8> {
            let reader = Task { await channelError { try await pair.answerer.receive(upTo: 10) } }
            reader.cancel()
            #expect(await reader.value == .cancelled)
            try await pair.dialler.send([round])
            #expect(try await pair.answerer.receive(upTo: 10) == [round])
        }
    }

    @Test("Two tasks that send on one channel stop the program")
    func twoSenders() async {
        await #expect(processExitsWith: .failure) {
            let pair = try await ChannelPair(on: EventLoop(named: "misused"))
            let bytes = pattern(32 << 20)
            async let first: Void = pair.dialler.send(bytes)
            async let second: Void = pair.dialler.send(bytes)
            _ = try await (first, second)
        }
    }
}
