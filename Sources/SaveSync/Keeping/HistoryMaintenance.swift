import History
import LinuxPlatform
import Session

/// What goes through the whole history: collecting what nobody needs, checking, measuring. It takes seconds to minutes, and has a thread of its own
/// each time, so that pieces come and go meanwhile. One thing is done at a time.
@Engine
final class HistoryMaintenance {
    private let history: History
    private let turn = AsyncMutex()
    /// A collection that has not begun. It is for all who ask until it does.
    private var next: Promise<GarbageReport>?

    init(_ history: History) { self.history = history }

    /// Frees what nobody needs since before this call.
    func collect() async throws -> GarbageReport {
        if let next { return try await next.value() }
        let promise = Promise<GarbageReport>()
        next = promise
        do {
            let report = try await turn.alone {
                next = nil
                return try await apart { try $0.collectGarbage() }
            }
            promise.settle(.success(report))
            return report
        } catch {
            promise.settle(.failure(error))
            throw error
        }
    }

    func check(repairing: Bool) async throws -> HistoryCheck {
        try await turn.alone { try await apart { try $0.check(repairing: repairing) } }
    }

    func usage() async throws -> HistoryUsage {
        try await turn.alone { try await apart { try $0.usage() } }
    }

    private func apart<Value: Sendable>(
        _ work: @escaping @Sendable (History) throws -> Value
    ) async throws -> Value {
        try await runBlocking("history") { [history] in try work(history) }
    }
}
