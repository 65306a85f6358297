import Synchronization

/// Work that runs once and releases what it captured when done, even if others still hold this object.
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
