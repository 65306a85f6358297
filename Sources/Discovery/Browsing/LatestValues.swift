/// Values for one reader who need not see each of them: a slow one finds the latest few, the oldest having been dropped.
public final class LatestValues<Value: Sendable>: AsyncSequence, Sendable {
    private struct Store: ReaderStore {
        let limit: Int
        var values: [Value] = []

        mutating func take() -> Value? { values.isEmpty ? nil : values.removeFirst() }
    }

    private let box: ReaderBox<Store>

    init(keeping limit: Int) {
        box = ReaderBox(Store(limit: limit))
    }

    /// Waits for the next value; nil at the end or when the waiting task is cancelled. One task may wait.
    public func next() async -> Value? { await box.next() }

    /// Iterates over the values.
    public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

    /// Hands out one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let values: LatestValues

        /// Waits for the next value.
        public mutating func next() async -> Value? { await values.next() }
    }

    func tell(_ value: Value) {
        box.update { store in
            if store.values.count == store.limit { store.values.removeFirst() }
            store.values.append(value)
        }
    }

    func finish() { box.finish() }
}
