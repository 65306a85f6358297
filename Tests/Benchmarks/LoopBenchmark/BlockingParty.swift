import LinuxPlatform
import TestSupport

/// The comparison: a thread that blocks in each call, like a C program.
final class BlockingParty: Party {
    private let socket: BlockingSocket

    init(_ socket: BlockingSocket) {
        self.socket = socket
    }

    func pingPong(rounds: Int) async throws -> [UInt64] {
        try await runBlocking("ping") { [socket] in
            var times: [UInt64] = []
            times.reserveCapacity(rounds)
            var room = [UInt8](repeating: 0, count: messageSize)
            for _ in 0..<rounds {
                let start = monotonicNanoseconds()
                try socket.send(message)
                guard try socket.receive(filling: &room) == messageSize else { throw ConnectionEnded() }
                times.append(monotonicNanoseconds() - start)
            }
            return times
        }
    }

    func echo() async throws {
        try await echo(times: .max)
    }

    /// Echoes a number of messages, or until the other side has finished.
    func echo(times: Int) async throws {
        try await runBlocking("echo") { [socket] in
            var room = [UInt8](repeating: 0, count: messageSize)
            for _ in 0..<times {
                guard try socket.receive(filling: &room) == messageSize else { return }
                try socket.send(room)
            }
        }
    }

    func sendChunks(_ count: Int) async throws {
        try await runBlocking("send") { [socket] in
            for _ in 0..<count { try socket.send(chunk) }
        }
    }

    func receiveChunks(_ count: Int) async throws {
        try await runBlocking("receive") { [socket] in
            var room = [UInt8](repeating: 0, count: chunkSize)
            for _ in 0..<count {
                guard try socket.receive(filling: &room) == chunkSize else { throw ConnectionEnded() }
            }
        }
    }

    func timeThere() async throws -> UInt64 { monotonicNanoseconds() }

    func end() async {
        socket.end()
    }
}

struct ConnectionEnded: Error {}
