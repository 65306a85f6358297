import LinuxPlatform
import Synchronization

/// Values for one reader who need not see each of them: a slow one finds the latest few, the oldest having been dropped.
public final class LatestValues<Value: Sendable>: AsyncSequence, Sendable {
    private struct State {
        var values: [Value] = []
        var waiter: Resumption<Value?>?
        var isFinished = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(keeping limit: Int) {
        self.limit = limit
    }

    /// Waits for the next value; nil at the end or when the waiting task is cancelled. One task may wait.
    public func next() async -> Value? {
        let resumption = Resumption<Value?>()
        let ready: Value?? = state.withLock { state in
            if !state.values.isEmpty { return .some(state.values.removeFirst()) }
            if state.isFinished { return .some(nil) }
            precondition(state.waiter == nil, "two tasks wait for the values of one reader")
            state.waiter = resumption
            return nil
        }
        if let ready { return ready }
        return await withTaskCancellationHandler {
            (try? await resumption.value) ?? nil
        } onCancel: {
            state.withLock { if $0.waiter === resumption { $0.waiter = nil } }
            resumption.resume(with: .success(nil))
        }
    }

    /// Iterates over the values.
    public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

    /// Hands out one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let values: LatestValues

        /// Waits for the next value.
        public mutating func next() async -> Value? { await values.next() }
    }

    func tell(_ value: Value) {
        let waiter = state.withLock { state -> Resumption<Value?>? in
            if let waiter = state.waiter.take() { return waiter }
            if state.values.count == limit { state.values.removeFirst() }
            state.values.append(value)
            return nil
        }
        waiter?.resume(with: .success(value))
    }

    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            return state.waiter.take()
        }
        waiter?.resume(with: .success(nil))
    }
}
