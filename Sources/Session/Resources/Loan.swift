import Synchronization

/// What a closure uses once and then lets go of, for a loop may keep closures for a while after they have run.
final class Loan<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    /// It, for whoever asks first.
    func take() -> Value? { value.withLock { $0.take() } }
}
