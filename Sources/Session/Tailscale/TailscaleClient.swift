import LinuxPlatform

/// Asks the local `tailscaled` for the machines of its network. Callers at the same moment share one request.
@Engine
final class TailscaleClient {
    private let path: String?
    private let tasks: TaskScope
    private var request: Promise<TailscaleStatus>?

    /// The time limit of a request. A dial waits for the answer, so a program that hangs must not delay it for long.
    private static let patience: Duration = .milliseconds(500)
    /// HTTP/1.0, so that the answer arrives in one part and ends with the connection.
    private static let question = "GET /localapi/v0/status HTTP/1.0\r\nHost: local-tailscaled.sock\r\n\r\n"

    /// - Parameter path: the socket of `tailscaled`; nil for none
    init(at path: String?, _ tasks: TaskScope) { (self.path, self.tasks) = (path, tasks) }

    /// Returns the present list; nil if there is no `tailscaled`, or its answer is unusable.
    func status() async -> TailscaleStatus? {
        guard let path else { return nil }
        if let request { return try? await request.value() }
        let request = Promise<TailscaleStatus>()
        self.request = request
        let begins = tasks.add {
            do {
                let status = try await Self.read(path)
                self.end(request, .success(status))
            } catch {
                self.end(request, .failure(error))
            }
        }
        if !begins { end(request, .failure(TailscaleStatus.Fault.noAnswer)) }
        return try? await request.value()
    }

    private func end(_ request: Promise<TailscaleStatus>, _ outcome: Result<TailscaleStatus, any Error>) {
        self.request = nil
        request.settle(outcome)
    }

    private static func read(_ path: String) async throws -> TailscaleStatus {
        let answer = try await Engine.loop.withDeadline(patience, "tailscaled") {
            let socket = try UnixSocket.connect(to: path, on: Engine.loop)
            try await socket.send(Array(Self.question.utf8))
            var answer: [UInt8] = []
            while case let bytes = try await socket.receive(upTo: 65_536), !bytes.isEmpty {
                answer += bytes
                guard answer.count <= TailscaleStatus.longestAnswer else { throw TailscaleStatus.Fault.tooLong }
            }
            return answer
        }
        return try TailscaleStatus(answer: answer)
    }
}
