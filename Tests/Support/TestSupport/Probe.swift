import Synchronization

/// A value that code under test changes and a test waits for without a sleep: each change is checked as it happens.
public final class Probe<Value: Sendable>: Sendable {
    private struct Waiter {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state: Mutex<State>

    /// Starts with a value.
    public init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The present value.
    public var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes the waits that it satisfies.
    public func update(_ change: (inout Value) -> Void) {
        let (value, woken) = state.withLock { state in
            change(&state.value)
            let value = state.value
            let satisfied = state.waiters.filter { $0.value.condition(value) }
            for id in satisfied.keys { state.waiters[id] = nil }
            return (value, satisfied.values.map(\.continuation))
        }
        for continuation in woken { continuation.resume(returning: value) }
    }

    /// Waits until the value satisfies `condition`, and returns it as it was then.
    ///
    /// - Throws: ``Overdue`` with the value at the end of the limit
    @discardableResult
    public func wait(
        within limit: Duration = .seconds(20),
        until condition: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.firstValue(satisfying: condition) }
            group.addTask {
                // because this is the deadline itself
                try await Task.sleep(for: limit)
                throw Overdue(description: "waited for \(limit); the value is \(self.value)")
            }
            guard let first = try await group.next() else { preconditionFailure("a group of two was empty") }
            return first
        }
    }

    private func firstValue(satisfying condition: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let value: Value? = state.withLock { state in
                    if condition(state.value) { return state.value }
                    state.waiters[id] = Waiter(condition: condition, continuation: continuation)
                    return nil
                }
                if let value {
                    continuation.resume(returning: value)
                } else if Task.isCancelled {
                    giveUp(id)
                }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: Int) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }
}

extension Probe {
    /// Appends to a list.
    public func record<Element>(_ element: Element) where Value == [Element] {
        update { $0.append(element) }
    }

    /// Counts one more.
    public func count() where Value == Int {
        update { $0 += 1 }
    }

    /// Notes that it has happened.
    public func open() where Value == Bool {
        update { $0 = true }
    }

    /// Waits until it has happened.
    public func pass(within limit: Duration = .seconds(20)) async throws where Value == Bool {
        try await wait(within: limit) { $0 }
    }
}

/// The error of a wait that took too long.
public struct Overdue: Error, CustomStringConvertible {
    /// The condition and the value at the end.
    public let description: String
}
