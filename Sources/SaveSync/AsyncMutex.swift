import LinuxPlatform

/// A mutex for work that suspends. Callers get it in the order in which they came.
@Engine
final class AsyncMutex {
    private var isTaken = false
    private var waiting: [Resumption<Void>] = []

    func alone<Value>(_ body: @Engine () async throws -> Value) async rethrows -> Value {
        await take()
        defer { leave() }
        return try await body()
    }

    private func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        let turn = Resumption<Void>()
        waiting.append(turn)
        // Cancellation does not end this wait, so that the steps of a game end in order.
        try? await turn.value()
    }

    private func leave() {
        guard !waiting.isEmpty else { return isTaken = false }
        waiting.removeFirst().resume(with: .success(()))
    }
}
