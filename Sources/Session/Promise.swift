package import LinuxPlatform

/// An outcome that is set once, for several waiting callers.
@Engine
package final class Promise<Value: Sendable> {
    private var outcome: Result<Value, any Error>?
    private var waiting: [Resumption<Value>] = []

    /// Creates a promise without an outcome.
    package init() {}

    var isSettled: Bool { outcome != nil }

    /// Waits for the outcome. A cancelled caller stops waiting; the others go on.
    package func value() async throws -> Value {
        if let outcome { return try outcome.get() }
        let turn = Resumption<Value>()
        waiting.append(turn)
        defer { waiting.removeAll { $0 === turn } }
        return try await turn.valueUnlessCancelled()
    }

    /// Waits for any outcome, also in a cancelled task.
    func settled() async {
        guard outcome == nil else { return }
        let turn = Resumption<Value>()
        waiting.append(turn)
        _ = try? await turn.value()
    }

    /// Sets the outcome. Only the first one counts.
    package func settle(_ outcome: Result<Value, any Error>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        for turn in waiting { turn.resume(with: outcome) }
    }
}
