import Glibc
import LinuxPlatform
import Testing
import TestSupport

@Suite("StreamSocket", .timeLimit(.minutes(5)))
struct StreamSocketTests {
    let loop = EventLoop(named: "stream loop")

    @Test(
        "A message is echoed, and the end of sending is a regular end for the other side",
        arguments: loopbackAddresses
    )
    func echo(address: IPAddress) async throws {
        let pair = try await LoopbackPair(over: address, on: loop)
        try await pair.client.send(Array("hello".utf8))
        #expect(try await receiveAll(5, from: pair.server) == Array("hello".utf8))
        try pair.client.finishSending()
        #expect(try await pair.server.receive(upTo: 100) == [])
        #expect(try await pair.server.receive(upTo: 100) == [])
        try await pair.server.send(Array("goodbye".utf8))
        #expect(try await receiveAll(7, from: pair.client) == Array("goodbye".utf8))
    }

    // Each line is one way for the end to arrive: with the last bytes, after them, and before the read.
    @Test(
        "The end is never missed, however it coincides with the last bytes",
        arguments: [1, 2, 3, 4, 5],
        [1, 3, 100]
    )
    func endWithLastBytes(count: Int, limit: Int) async throws {
        for _ in 0..<20 {
            let pair = try await LoopbackPair(on: loop)
            async let everything = receiveToEnd(from: pair.server, limit: limit)
            try await pair.client.send([UInt8](repeating: 7, count: count))
            try pair.client.finishSending()
            #expect(try await everything == [UInt8](repeating: 7, count: count))
        }
    }

    // A step that took everything is only repeated after the loop has noted an event; an end that was noted together
    // with the bytes is not reported again.
    @Test("The end is not missed step by step either", arguments: [1, 3, 5], [1, 3, 100])
    func endWithLastBytesByStep(count: Int, limit: Int) async throws {
        for round in 0..<20 {
            let pair = try await LoopbackPair(on: loop)
            let bytes = [UInt8](repeating: UInt8(round), count: count)
            async let whileComing = receiveToEndByStep(from: pair.server, limit: limit)
            try await pair.client.send(bytes)
            try pair.client.finishSending()
            #expect(try await whileComing == bytes)
            try await pair.server.send(bytes)
            try pair.server.finishSending()
            try await passThrough(loop)
            #expect(try await receiveToEndByStep(from: pair.client, limit: limit) == bytes)
        }
    }

    @Test("Many small messages back and forth arrive one by one", arguments: [1, 64, 100])
    func pingPong(limit: Int) async throws {
        let pair = try await LoopbackPair(on: loop)
        let echo = Task {
            while true {
                let bytes = try await pair.server.receive(upTo: limit)
                if bytes.isEmpty { return }
                try await pair.server.send(bytes)
            }
        }
        for round in 0..<200 {
            let message = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 64)
            try await pair.client.send(message)
            #expect(try await receiveAll(64, from: pair.client, limit: limit) == message)
        }
        try pair.client.finishSending()
        try await echo.value
    }

    @Test("A slow reader delays the sender", arguments: loopbackAddresses)
    func backPressure(address: IPAddress) async throws {
        let pair = try await LoopbackPair(over: address, on: loop)
        let (chunk, count) = (64 << 10, 1_024)
        let sent = Probe(0)
        let sender = Task {
            for number in 0..<count {
                try await pair.client.send(pattern(at: number * chunk, count: chunk))
                sent.count()
            }
            try pair.client.finishSending()
        }
        try await sent.wait { $0 > 0 }
        var (received, mostAhead) = (0, 0)
        while true {
            let bytes = try await pair.server.receive(upTo: 32 << 10)
            if bytes.isEmpty { break }
            if bytes != pattern(at: received, count: bytes.count) { Issue.record("wrong bytes near \(received)") }
            received += bytes.count
            mostAhead = max(mostAhead, sent.value * chunk - received)
        }
        try await sender.value
        #expect(received == chunk * count)
        // The buffers of the kernel at both ends; without back-pressure it would be nearly everything.
        #expect(mostAhead < 24 << 20)
    }

    @Test("Both directions work at once")
    func bothDirections() async throws {
        let pair = try await LoopbackPair(on: loop)
        let bytes = [UInt8](repeating: 5, count: 8 << 20)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (near, far) in [(pair.client, pair.server), (pair.server, pair.client)] {
                group.addTask {
                    try await near.send(bytes)
                    try near.finishSending()
                    return 0
                }
                group.addTask { try await receiveToEnd(from: far, limit: 64 << 10).count }
            }
            var total = 0
            for try await count in group { total += count }
            #expect(total == 2 * bytes.count)
        }
    }

    @Test("A reset by the other side is an error, not an end, and resumes a waiting reader")
    func reset() async throws {
        let (near, far) = try await nearAndBlockingFar()
        let reader = Task { try await near.receive(upTo: 10) }
        try far.reset()
        await #expect(throws: SystemError("recv", ECONNRESET)) { try await reader.value }
    }

    @Test("Sending to a closed side is an error, and does not end the program")
    func sendAfterClose() async {
        await #expect(processExitsWith: .success) {
            let loop = EventLoop(named: "pipe loop")
            let (near, far) = BlockingSocket.pair()
            let socket = try StreamSocket(near.nonBlocking(), on: loop)
            far.end()
            do {
                try await socket.send([1])
                exit(EXIT_FAILURE)
            } catch {
                precondition(error as? SystemError == SystemError("send", EPIPE))
            }
        }
    }

    @Test("A cancelled reader ends at once and loses no bytes for the next")
    func cancelledReader() async throws {
        let pair = try await LoopbackPair(on: loop)
        for round in 0..<100 as Range<UInt8> {
            let reader = Task { try await pair.server.receive(upTo: 10) }
            reader.cancel()
            await #expect(throws: CancellationError.self) { try await reader.value }
            try await pair.client.send([round])
            #expect(try await pair.server.receive(upTo: 10) == [round])
        }
    }

    @Test("A cancelled sender ends although the other side never reads")
    func cancelledSender() async throws {
        let pair = try await LoopbackPair(on: loop)
        let sent = Probe(0)
        let sender = Task {
            while true {
                try await pair.client.send([UInt8](repeating: 1, count: 1 << 20))
                sent.count()
            }
        }
        try await sent.wait { $0 > 0 }
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await sender.value }
    }

    @Test("Two tasks that read from one socket end the program")
    func twoReaders() async {
        await #expect(processExitsWith: .failure) {
            let pair = try await LoopbackPair(on: EventLoop(named: "misused"))
            async let first = pair.client.receive(upTo: 1)
            async let second = pair.client.receive(upTo: 1)
            _ = try await (first, second)
        }
    }

    private func nearAndBlockingFar() async throws -> (StreamSocket, BlockingSocket) {
        let listener = try ListeningSocket(on: anyLoopbackPort, loop: loop)
        let port = listener.address.port
        let far = try await runBlocking("far end") { try BlockingSocket.connected(toLoopbackPort: port) }
        return (try await listener.accept(), far)
    }
}

/// Bytes that repeat with a period that no buffer has, so that a lost or duplicate one shows.
private func pattern(at offset: Int, count: Int) -> [UInt8] {
    let start = offset % 251
    return Array(longPattern[start..<start + count])
}

private let longPattern = (0..<(64 << 10) + 251).map { UInt8($0 % 251) }

/// Receives exactly so many bytes, in pieces of any size.
private func receiveAll(_ count: Int, from socket: StreamSocket, limit: Int = 4_096) async throws -> [UInt8] {
    var received: [UInt8] = []
    while received.count < count {
        let more = try await socket.receive(upTo: min(limit, count - received.count))
        if more.isEmpty { break }
        received += more
    }
    return received
}

/// Receives until the other side has finished sending.
private func receiveToEnd(from socket: StreamSocket, limit: Int) async throws -> [UInt8] {
    var received: [UInt8] = []
    while true {
        let more = try await socket.receive(upTo: limit)
        if more.isEmpty { return received }
        received += more
    }
}

/// The same by single steps, as TLS receives.
private func receiveToEndByStep(from socket: StreamSocket, limit: Int) async throws -> [UInt8] {
    var received: [UInt8] = []
    var room = [UInt8](repeating: 0, count: limit)
    while true {
        let mark = socket.expect(.readable)
        if let count = try room.withUnsafeMutableBytes({ try socket.receiveIfReady(into: $0) }) {
            if count == 0 { return received }
            received += room[..<count]
        } else {
            try await socket.wait(for: .readable, since: mark)
        }
    }
}
