/// A bounded buffer for one reader. If the reader is slow, the oldest values are dropped.
public final class DroppingBuffer<Value: Sendable>: AsyncSequence, Sendable {
    private struct Store: ReaderStore {
        let limit: Int
        var values: [Value] = []

        mutating func take() -> Value? { values.isEmpty ? nil : values.removeFirst() }
    }

    private let box: SingleReaderBuffer<Store>

    init(keeping limit: Int) {
        box = SingleReaderBuffer(Store(limit: limit))
    }

    /// Waits for the next value; nil at the end or if the waiting task is cancelled. Only one task may wait.
    public func next() async -> Value? { await box.next() }

    /// Iterator for the only reader.
    public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

    /// Iterator of the values.
    public struct Iterator: AsyncIteratorProtocol {
        let values: DroppingBuffer

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
