import Synchronization

/// A result that one side waits for and whichever of several others comes first provides; every later one is ignored.
///
/// This is how a wait is made to end exactly once when an event, a deadline and a cancellation race.
public final class Resumption<Value: Sendable>: Sendable {
    private enum State {
        case pending
        case waiting(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }

    private let state = Mutex(State.pending)

    /// Makes one that nobody has provided a result for.
    public init() {}

    /// The result, whether the asking task has been cancelled or not. Only one task may ask.
    public var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { wait($0) }
        }
    }

    /// The result, or a `CancellationError` as soon as the asking task is cancelled. Only one task may ask.
    public var valueUnlessCancelled: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                resume(with: .failure(CancellationError()))
            }
        }
    }

    private func wait(_ continuation: CheckedContinuation<Value, any Error>) {
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

    /// Provides the result. Answers whether it was the first.
    @discardableResult
    public func resume(with result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiting): (Bool, CheckedContinuation<Value, any Error>?) = state.withLock { state in
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
