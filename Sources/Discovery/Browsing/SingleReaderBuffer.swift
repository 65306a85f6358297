import LinuxPlatform
import Synchronization

/// A bounded store of the elements that wait for one reader. It decides which elements it keeps and which one is next.
protocol ReaderStore: Sendable {
    associatedtype Element: Sendable

    /// Removes and returns the next element; nil if none waits.
    mutating func take() -> Element?
}

/// Delivers the elements of a ``ReaderStore`` to one reader, which waits while the store is empty.
final class SingleReaderBuffer<Store: ReaderStore>: Sendable {
    private struct State {
        var store: Store
        var waiter: Resumption<Store.Element?>?
        var isFinished = false
    }

    private let state: Mutex<State>

    init(_ store: Store) {
        state = Mutex(State(store: store))
    }

    /// Changes the store, and resumes the reader if it has an element now.
    func update(_ change: @Sendable (inout Store) -> Void) {
        deliver { change(&$0.store) }
    }

    /// Ends the sequence after the elements that still wait.
    func finish() {
        deliver { $0.isFinished = true }
    }

    /// Waits for the next element; nil at the end or if the waiting task is cancelled. Only one task may wait.
    func next() async -> Store.Element? {
        let resumption = Resumption<Store.Element?>()
        let ready: Store.Element?? = state.withLock { state in
            if let element = state.store.take() { return .some(element) }
            if state.isFinished { return .some(nil) }
            precondition(state.waiter == nil, "two tasks wait on the buffer of one reader")
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
