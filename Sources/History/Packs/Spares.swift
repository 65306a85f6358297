import Synchronization

/// A pool of objects that are expensive to make. Lends each to one caller at a time.
final class Spares<Thing: Sendable>: Sendable {
    private let spare = Mutex<[Thing]>([])
    private let make: @Sendable () -> Thing

    init(_ make: @escaping @Sendable () -> Thing) {
        self.make = make
    }

    func lend<Value, Failure: Error>(_ body: (Thing) throws(Failure) -> Value) throws(Failure) -> Value {
        let thing = spare.withLock { $0.popLast() } ?? make()
        defer { spare.withLock { $0.append(thing) } }
        return try body(thing)
    }

    /// Releases the objects that are not lent.
    func empty() { spare.withLock { $0 = [] } }
}
