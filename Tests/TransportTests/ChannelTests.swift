import LinuxPlatform
import Testing
import TestSupport
import Transport

@Suite("SecureChannel", .timeLimit(.minutes(5)))
struct ChannelTests {
    let loop = EventLoop(named: "channel loop")

    @Test("Both ends know each other's id, and bytes go both ways", arguments: loopbackAddresses)
    func greeting(address: IPAddress) async throws {
        let (near, far) = (Identity.ephemeral(), Identity.ephemeral())
        let pair = try await ChannelPair(near, far, over: address, on: loop)
        #expect(pair.dialler.peerID == far.peerID)
        #expect(pair.answerer.peerID == near.peerID)
        #expect(!pair.dialler.isResumed && !pair.answerer.isResumed)
        #expect(pair.answerer.remoteAddress?.address == address)
        try await pair.dialler.send(Array("hello".utf8))
        #expect(try await receiveAll(5, from: pair.answerer) == Array("hello".utf8))
        try await pair.answerer.send([Array("good".utf8), [], Array("bye".utf8)])
        #expect(try await pair.dialler.receive(upTo: 100) == Array("goodbye".utf8))
    }

    @Test("A side that has finished sending is at a clean end, and the other may continue")
    func halfClose() async throws {
        let pair = try await ChannelPair(on: loop)
        try await pair.dialler.send([1, 2])
        try await pair.dialler.finishSending()
        #expect(try await receiveToEnd(from: pair.answerer) == [1, 2])
        #expect(try await pair.answerer.receive(upTo: 9) == [])
        let answer = pattern(200_000)
        async let received = receiveToEnd(from: pair.dialler)
        try await pair.answerer.send(answer)
        try await pair.answerer.finishSending()
        #expect(try await received == answer)
    }

    @Test("An end without a clean end is a loss, and stays one")
    func loss() async throws {
        let pair = try await ChannelPair(on: loop)
        try await pair.dialler.send([1, 2])
        #expect(try await receiveAll(2, from: pair.answerer) == [1, 2])
        pair.dialler.abort()
        for _ in 0..<3 {
            guard case .lost = await channelError({ try await pair.answerer.receive(upTo: 9) }) else {
                Issue.record("no loss")
                return
            }
        }
        #expect(await channelError { try await pair.dialler.receive(upTo: 9) } == .closed)
        #expect(await channelError { try await pair.dialler.send([1]) } == .closed)
    }

    @Test("Both directions carry many bytes at once, complete and in order", arguments: [1, 17_000, 1 << 20])
    func bothDirections(pieceCount: Int) async throws {
        let pair = try await ChannelPair(on: loop)
        let count = pieceCount == 1 ? 3_000 : 16 << 20
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (near, far, seed) in [(pair.dialler, pair.answerer, 1), (pair.answerer, pair.dialler, 2)] {
                let all = pattern(count, seed: seed)
                group.addTask {
                    var rest = all[...]
                    while !rest.isEmpty {
                        try await near.send(Array(rest.prefix(pieceCount)))
                        rest = rest.dropFirst(pieceCount)
                    }
                    try await near.finishSending()
                }
                group.addTask {
                    let received = try await receiveToEnd(from: far, upTo: 100_000)
                    #expect(received == all)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A ticket shortens the next handshake between the same peers")
    func resumption() async throws {
        let (near, far) = (Identity.ephemeral(), Identity.ephemeral())
        let first = try await ChannelPair(near, far, on: loop)
        #expect(first.answerer.ticket == nil)
        try await first.answerer.send([1])
        _ = try await first.dialler.receive(upTo: 1)
        let ticket = try #require(first.dialler.ticket)
        #expect(ticket.peerID == far.peerID)
        for _ in 0..<3 {
            let next = try await ChannelPair(near, far, resuming: ticket, on: loop)
            #expect(next.dialler.isResumed && next.answerer.isResumed)
            #expect(next.dialler.peerID == far.peerID)
            #expect(next.answerer.peerID == near.peerID)
            try await next.dialler.send([7])
            #expect(try await next.answerer.receive(upTo: 9) == [7])
            next.dialler.abort()
        }
    }

    @Test("Several channels that use one ticket have keys of their own")
    func sharedTicket() async throws {
        let (near, far) = (Identity.ephemeral(), Identity.ephemeral())
        let ticket = try await ticket(of: near, at: far)
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let pair = try await ChannelPair(near, far, resuming: ticket, on: loop)
                    #expect(pair.dialler.isResumed && pair.answerer.isResumed)
                    let key = try pair.answerer.exportKey(label: "EXPORTER-huddle-channel-proof", count: 32)
                    #expect(try pair.dialler.exportKey(label: "EXPORTER-huddle-channel-proof", count: 32) == key)
                    return key
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 8)
    }

    @Test("A ticket belongs to its key, no matter which certificate the key has")
    func foreignTicket() async throws {
        let (near, far, other) = (Identity.ephemeral(), Identity.ephemeral(), Identity.ephemeral())
        let pair = try await ChannelPair(other, far, resuming: try await ticket(of: near, at: far), on: loop)
        #expect(pair.answerer.isResumed)
        #expect(pair.answerer.peerID == near.peerID)
    }

    private func ticket(of near: Identity, at far: Identity) async throws -> ResumptionTicket {
        let first = try await ChannelPair(near, far, on: loop)
        // A ticket arrives with the first bytes.
        try await first.answerer.send([1])
        _ = try await first.dialler.receive(upTo: 1)
        return try #require(first.dialler.ticket)
    }
}
