package import LinuxPlatform

/// An outcome that several wait for and that comes once.
@Engine
package final class Promise<Value: Sendable> {
    private var outcome: Result<Value, any Error>?
    private var waiting: [Resumption<Value>] = []

    /// Nothing has come yet.
    package init() {}

    var isSettled: Bool { outcome != nil }

    /// Waits for the outcome. Who is cancelled stops waiting; the others go on.
    package func value() async throws -> Value {
        if let outcome { return try outcome.get() }
        let turn = Resumption<Value>()
        waiting.append(turn)
        defer { waiting.removeAll { $0 === turn } }
        return try await turn.valueUnlessCancelled()
    }

    /// Waits for whatever outcome, also in a task that is cancelled.
    func settled() async {
        guard outcome == nil else { return }
        let turn = Resumption<Value>()
        waiting.append(turn)
        _ = try? await turn.value()
    }

    /// Only the first outcome counts.
    package func settle(_ outcome: Result<Value, any Error>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        for turn in waiting { turn.resume(with: outcome) }
    }
}
