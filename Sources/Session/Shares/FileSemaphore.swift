import LinuxPlatform

/// Runs the file work for a peer on other threads, a few at a time. So no peer uses up the threads that others need.
@Engine
final class FileSemaphore {
    private static let most = 4

    private var underWay = 0
    private var waiting: [Resumption<Void>] = []

    var isIdle: Bool { underWay == 0 }

    /// Runs blocking work when it is its turn.
    func run<Value: Sendable>(
        _ name: String,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        if underWay < Self.most {
            underWay += 1
        } else {
            let turn = Resumption<Void>()
            waiting.append(turn)
            try await turn.value()
        }
        defer { pass() }
        return try await runBlocking(name, work)
    }

    private func pass() {
        if waiting.isEmpty { underWay -= 1 } else { waiting.removeFirst().resume(with: .success(())) }
    }
}
