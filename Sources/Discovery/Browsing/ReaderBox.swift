import LinuxPlatform
import Synchronization

/// What waits for one reader, in a store that decides what is kept and what comes next. The store must be bounded.
protocol ReaderStore: Sendable {
    associatedtype Element: Sendable

    /// The next thing to hand out; nil where nothing waits.
    mutating func take() -> Element?
}

/// Hands what a ``ReaderStore`` holds to one reader, who waits while it is empty.
final class ReaderBox<Store: ReaderStore>: Sendable {
    private struct State {
        var store: Store
        var waiter: Resumption<Store.Element?>?
        var isFinished = false
    }

    private let state: Mutex<State>

    init(_ store: Store) {
        state = Mutex(State(store: store))
    }

    /// Changes what waits, and wakes the reader where there is something for it now.
    func update(_ change: @Sendable (inout Store) -> Void) {
        deliver { change(&$0.store) }
    }

    /// The reader gets what still waits, then the end.
    func finish() {
        deliver { $0.isFinished = true }
    }

    /// Waits for the next thing; nil at the end or when the waiting task is cancelled. One task may wait.
    func next() async -> Store.Element? {
        let resumption = Resumption<Store.Element?>()
        let ready: Store.Element?? = state.withLock { state in
            if let element = state.store.take() { return .some(element) }
            if state.isFinished { return .some(nil) }
            precondition(state.waiter == nil, "two tasks wait for what is meant for one reader")
            state.waiter = resumption
            return nil
        }
        if let ready { return ready }
        defer { state.withLock { if $0.waiter === resumption { $0.waiter = nil } } }
        return (try? await resumption.valueUnlessCancelled()) ?? nil
    }

    private func deliver(_ change: (inout State) -> Void) {
        let delivery: (Resumption<Store.Element?>, Store.Element?)? = state.withLock { state in
            change(&state)
            guard let waiter = state.waiter else { return nil }
            let element = state.store.take()
            guard element != nil || state.isFinished else { return nil }
            state.waiter = nil
            return (waiter, element)
        }
        delivery?.0.resume(with: .success(delivery?.1))
    }
}
