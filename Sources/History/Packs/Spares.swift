import Synchronization

/// Things that are dear to make, lent to one caller at a time and kept for the next.
final class Spares<Thing: Sendable>: Sendable {
    private let spare = Mutex<[Thing]>([])
    private let make: @Sendable () -> Thing

    init(_ make: @escaping @Sendable () -> Thing) {
        self.make = make
    }

    func lend<Value>(_ body: (Thing) -> Value) -> Value {
        let thing = spare.withLock { $0.popLast() } ?? make()
        defer { spare.withLock { $0.append(thing) } }
        return body(thing)
    }

    /// Gives up those that are not lent.
    func empty() { spare.withLock { $0 = [] } }
}
