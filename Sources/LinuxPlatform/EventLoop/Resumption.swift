public import Synchronization

/// A result that one task waits for. The first of several providers sets it; later ones are ignored.
///
/// Its body is visible to other modules, so that the compiler specialises it for its type: every message passes here.
///
/// It makes a wait end exactly once when an event, a deadline and a cancellation race.
public final class Resumption<Value: Sendable>: Sendable {
    @usableFromInline enum State {
        case pending
        /// The resuming side takes it out under the lock, so that it resumes once and needs no check at run time.
        case waiting(UnsafeContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }

    @usableFromInline let state: Mutex<State>

    /// Creates one without a result.
    @inlinable public init() {
        // Not at the declaration: other modules can't see that.
        state = Mutex(.pending)
    }

    /// Waits for the result even if the task is cancelled, without leaving the caller's actor. Only one task may wait.
    @inlinable public func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        // because the states below are what makes it resume exactly once
        try await withUnsafeThrowingContinuation { continuation in
            let finished: Result<Value, any Error>? = state.withLock { state in
                switch state {
                case .pending:
                    state = .waiting(continuation)
                    return nil
                case .waiting:
                    preconditionFailure("two tasks wait for one result")
                case .finished(let result):
                    return result
                }
            }
            if let finished { continuation.resume(with: finished) }
        }
    }

    /// Waits for the result, but throws `CancellationError` as soon as the task is cancelled.
    @inlinable public func valueUnlessCancelled(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        try await withTaskCancellationHandler {
            // A closure stays on the caller's actor only if it names it.
            _ = isolation
            return try await value()
        } onCancel: {
            resume(with: .failure(CancellationError()))
        }
    }

    /// Waits for the result, and calls `cancel` if the task is cancelled meanwhile.
    ///
    /// - Parameter executor: the loop that will provide the result. The waiting task continues right there if possible;
    ///   otherwise it would continue only after one of Swift's own threads woke up to pass it on.
    func value(
        isolation: isolated (any Actor)? = #isolation,
        from executor: LoopTaskExecutor,
        onCancel cancel: @Sendable () -> Void = {}
    ) async throws -> Value {
        // Most tasks of the project already prefer a loop. Preferring it once more would cost as much as the wait.
        if withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor == executor.asUnownedTaskExecutor() }) {
            return try await value(onCancel: cancel)
        }
        return try await withTaskExecutorPreference(executor) {
            // A closure stays on the caller's actor only if it names it.
            _ = isolation
            return try await value(onCancel: cancel)
        }
    }

    private func value(
        isolation: isolated (any Actor)? = #isolation,
        onCancel cancel: @Sendable () -> Void
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            _ = isolation
            return try await value()
        } onCancel: {
            cancel()
            resume(with: .failure(CancellationError()))
        }
    }

    /// Provides the result. Returns true if it was the first.
    @discardableResult
    @inlinable public func resume(with result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiting): (Bool, UnsafeContinuation<Value, any Error>?) = state.withLock { state in
            switch state {
            case .pending:
                state = .finished(result)
                return (true, nil)
            case .waiting(let continuation):
                state = .finished(result)
                return (true, continuation)
            case .finished:
                return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return isFirst
    }
}
