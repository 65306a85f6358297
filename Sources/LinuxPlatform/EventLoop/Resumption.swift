public import Synchronization

/// A result that one side waits for and whichever of several others comes first provides; every later one is ignored.
///
/// Its body can be seen from other modules, so that it is compiled for the type it is used with: it is on the way of every
/// message.
///
/// This is how a wait is made to end exactly once when an event, a deadline and a cancellation race.
public final class Resumption<Value: Sendable>: Sendable {
    @usableFromInline enum State {
        case pending
        /// Taken out by whoever resumes it, under the lock, so that it is resumed once and no check at run time is needed.
        case waiting(UnsafeContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }

    @usableFromInline let state: Mutex<State>

    /// Makes one that nobody has provided a result for.
    @inlinable public init() {
        // Not where it is declared: that can't be seen from other modules.
        state = Mutex(.pending)
    }

    /// Waits for the result, whether the task is cancelled or not, without leaving the caller's actor. Only one task may
    /// ask.
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

    /// The same, but throws `CancellationError` as soon as the task is cancelled.
    @inlinable public func valueUnlessCancelled(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        try await withTaskCancellationHandler {
            // A closure stays on the caller's actor only where it names it.
            _ = isolation
            return try await value()
        } onCancel: {
            resume(with: .failure(CancellationError()))
        }
    }

    /// The same, and lets `cancel` know when the task is cancelled meanwhile.
    ///
    /// - Parameter executor: the loop that will provide the result. The waiting task goes on right there if it can; without
    ///   this, it would go on only after one of Swift's own threads had been woken to pass it on.
    func value(
        isolation: isolated (any Actor)? = #isolation,
        from executor: LoopTaskExecutor,
        onCancel cancel: @Sendable () -> Void = {}
    ) async throws -> Value {
        // Most tasks of the house prefer a loop already; preferring it once more would cost as much as the wait.
        if withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor == executor.asUnownedTaskExecutor() }) {
            return try await value(onCancel: cancel)
        }
        return try await withTaskExecutorPreference(executor) {
            // A closure stays on the caller's actor only where it names it.
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

    /// Provides the result. Answers whether it was the first.
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
