import LinuxPlatform
import Testing
import TestSupport
import Transport

@Suite("Channels under load", .timeLimit(.minutes(10)))
struct ChannelLoadTests {
    let loop = EventLoop(named: "load loop")

    @Test("A receiver that does not receive stops the sender, and no buffer in between grows")
    func backPressure() async throws {
        let pair = try await ChannelPair(on: loop)
        let (chunk, count) = (64 << 10, 1_024)
        let sent = Probe(0)
        let piece = pattern(chunk)
        let sender = Task {
            for _ in 0..<count {
                try await pair.dialler.send(piece)
                sent.count()
            }
            try await pair.dialler.finishSending()
        }
        try await sent.wait { $0 > 0 }
        var (received, mostAhead) = (0, 0)
        while true {
            let bytes = try await pair.answerer.receive(upTo: 32 << 10)
            if bytes.isEmpty { break }
            if bytes[0] != piece[received % chunk] { Issue.record("wrong bytes near \(received)") }
            received += bytes.count
            mostAhead = max(mostAhead, sent.value * chunk - received)
        }
        try await sender.value
        #expect(received == chunk * count)
        // The kernel's buffers at both ends; without back-pressure this would be nearly the whole.
        #expect(mostAhead < 24 << 20)
    }

    @Test("Fifty channels at once on one loop each carry their own bytes")
    func fifty() async throws {
        let (near, far) = (Identity.ephemeral(), Identity.ephemeral())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<50 {
                group.addTask {
                    let pair = try await ChannelPair(near, far, on: loop)
                    let bytes = pattern(300_000 + seed, seed: seed)
                    async let received = receiveToEnd(from: pair.answerer, upTo: 10_000)
                    try await pair.dialler.send(bytes)
                    try await pair.dialler.finishSending()
                    let all = try await received
                    #expect(all == bytes)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A channel that never waits lets other tasks use the loop")
    func fairness() async throws {
        let pair = try await ChannelPair(on: loop)
        let loop = loop
        let busy = [
            Task(executorPreference: loop.taskExecutor) {
                while true { try await pair.dialler.send(pattern(1 << 20)) }
            },
            Task(executorPreference: loop.taskExecutor) {
                while true { _ = try await pair.answerer.receive(upTo: 1 << 20) }
            },
        ]
        for _ in 0..<50 { await loop.letOthersRun() }
        for task in busy { task.cancel() }
        pair.dialler.abort()
    }

    @Test("A channel moves to another loop and continues")
    func move() async throws {
        let pair = try await ChannelPair(on: loop)
        let other = EventLoop(named: "other loop")
        for _ in 0..<20 {
            for (target, bytes) in [(other, pattern(200_000)), (loop, pattern(3))] {
                pair.answerer.move(to: target)
                async let received = receiveAll(bytes.count, from: pair.answerer)
                try await pair.dialler.send(bytes)
                #expect(try await received == bytes)
            }
        }
    }

    // The seed chooses the byte of the cut, so that the same seed repeats a failure.
    @Test("A handshake that is cut at any byte ends on both sides", arguments: 0..<100 as Range<UInt64>)
    func cutHandshake(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let place = Int.random(in: 0..<1_500, using: &generator)
        let isFromDialler = Bool.random(using: &generator)
        let (outer, inner) = (try await LoopbackPair(on: loop), try await LoopbackPair(on: loop))
        async let forward: Void = relay(outer.server, inner.client, upTo: isFromDialler ? place : .max)
        async let backward: Void = relay(inner.client, outer.server, upTo: isFromDialler ? .max : place)
        let (near, far) = (Identity.ephemeral(), Identity.ephemeral())
        async let answered = channelError {
            let channel = try await SecureChannel.accept(inner.server, as: far, within: .seconds(20), on: loop)
            #expect(channel.peerID == near.peerID)
            _ = try await channel.receive(upTo: 1)
        }
        let dialled = await channelError {
            let channel = try await SecureChannel.dial(
                over: outer.client,
                as: near,
                expecting: far.peerID,
                within: .seconds(20),
                on: loop
            )
            // If the cut is later than the handshake, this ends both sides.
            try await channel.finishSending()
            _ = try await channel.receive(upTo: 1)
        }
        outer.client.cut()
        inner.server.cut()
        let answer = await answered
        _ = await (forward, backward)
        let endings = [dialled, answer]
        #expect(endings.contains { $0 != nil }, "seed \(seed), byte \(place)")
        #expect(!endings.contains(.timedOut), "seed \(seed), byte \(place)")
    }

    /// Forwards a number of bytes, then cuts both connections.
    private func relay(_ from: StreamSocket, _ to: StreamSocket, upTo limit: Int) async {
        var passed = 0
        while passed < limit, let bytes = try? await from.receive(upTo: min(limit - passed, 4_096)), !bytes.isEmpty {
            passed += bytes.count
            guard (try? await to.send(bytes)) != nil else { break }
        }
        from.cut()
        to.cut()
    }
}
