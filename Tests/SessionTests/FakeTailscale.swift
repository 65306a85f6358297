import Glibc
import LinuxPlatform
import TestSupport

/// A `tailscaled` that gives one answer to all requests, or none.
final class FakeTailscale: Sendable {
    let path: String
    private let folder = TemporaryFolder()
    private let running: Task<Void, any Error>

    /// - Parameter answer: the bytes that it sends before it closes; nil to stay silent
    init(answer: [UInt8]?) throws {
        path = folder.path + "/tailscaled.sock"
        let listening = try UnixSocket.listen(at: path)
        running = Task(executorPreference: EventLoop.shared.taskExecutor) {
            var silent: [StreamSocket] = []
            while true {
                try await EventLoop.shared.waitUntil(.readable, listening.number)
                let number = accept(listening.number, nil, nil)
                guard number >= 0 else { continue }
                _ = fcntl(number, F_SETFL, O_NONBLOCK)
                let socket = try StreamSocket(OwnedDescriptor(takingOwnershipOf: number), on: .shared)
                guard let answer else {
                    silent.append(socket)
                    continue
                }
                _ = try await socket.receive(upTo: 4096)
                // The reader may close before the end.
                try? await socket.send(answer)
            }
        }
    }

    convenience init(json: String) throws {
        try self.init(answer: Array("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n\(json)".utf8))
    }

    deinit { running.cancel() }
}
