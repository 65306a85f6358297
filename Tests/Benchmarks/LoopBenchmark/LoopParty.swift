import LinuxPlatform
import TestSupport

/// An actor on an event loop of its own.
actor LoopParty: Party {
    private let loop: EventLoop
    private let socket: StreamSocket
    private let blocking: BlockingSocket

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ socket: BlockingSocket, on loop: EventLoop = EventLoop(named: "candidate")) throws {
        self.loop = loop
        self.socket = try StreamSocket(socket.nonBlocking(), on: loop)
        blocking = socket
    }

    func pingPong(rounds: Int) async throws -> [UInt64] {
        var times: [UInt64] = []
        times.reserveCapacity(rounds)
        for _ in 0..<rounds {
            let start = monotonicNanoseconds()
            try await socket.send(message)
            try await receive(messageSize)
            times.append(monotonicNanoseconds() - start)
        }
        return times
    }

    func echo() async throws {
        while true {
            let bytes = try await socket.receive(upTo: 4_096)
            if bytes.isEmpty { return }
            try await socket.send(bytes)
        }
    }

    func sendChunks(_ count: Int) async throws {
        for _ in 0..<count { try await socket.send(chunk) }
    }

    func receiveChunks(_ count: Int) async throws {
        try await receive(count * chunkSize)
    }

    func timeThere() -> UInt64 { monotonicNanoseconds() }

    func end() {
        blocking.end()
    }

    private func receive(_ count: Int) async throws {
        var rest = count
        while rest > 0 {
            let bytes = try await socket.receive(upTo: max(4_096, min(rest, chunkSize)))
            if bytes.isEmpty { throw ConnectionEnded() }
            rest -= bytes.count
        }
    }
}
