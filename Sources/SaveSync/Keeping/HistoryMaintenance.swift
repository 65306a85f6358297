import History
import LinuxPlatform
import Session

/// Work that goes through the whole history: collects garbage, checks, measures.
///
/// Such work takes seconds to minutes. It runs on a thread of its own, so that pieces are received and sent meanwhile.
/// Only one such work runs at a time.
@Engine
final class HistoryMaintenance {
    private let history: History
    private let turn = AsyncMutex()
    /// A collection that has not begun. All calls until it begins share it.
    private var next: Promise<GarbageReport>?

    init(_ history: History) { self.history = history }

    /// Frees data that was no longer needed when this call began.
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
