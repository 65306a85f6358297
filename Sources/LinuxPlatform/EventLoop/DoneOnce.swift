import Synchronization

/// Work that is let go of when it is done, whoever still holds this.
final class DoneOnce<Value: Sendable>: Sendable {
    private let work: Mutex<(@Sendable () throws -> Value)?>

    init(_ work: @escaping @Sendable () throws -> Value) { self.work = Mutex(work) }

    func done() -> Result<Value, any Error> {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let work else { preconditionFailure("work is done once") }
        return Result { try work() }
    }
}
