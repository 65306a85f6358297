import Glibc

/// A value that several threads change, each alone, and whose changes they can wait for.
///
/// For threads of one's own that work hand in hand; nothing on an event loop or on one of Swift's threads may wait here.
///
/// It may pass between threads because the state is touched with the lock held only, and lock and bell stay where they are until the end.
package final class Monitor<State>: @unchecked Sendable {
    private var state: State
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Begins with a value.
    package init(_ state: sending State) {
        self.state = state
        pthread_mutex_init(lock, nil)
        pthread_cond_init(bell, nil)
    }

    deinit {
        pthread_cond_destroy(bell)
        pthread_mutex_destroy(lock)
        bell.deallocate()
        lock.deallocate()
    }

    /// Changes the value and wakes those who wait.
    package func update<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(bell)
            pthread_mutex_unlock(lock)
        }
        return try body(&state)
    }

    /// Waits until the body has an answer. It is asked at once and after each change by somebody else; what it changes itself wakes
    /// the others once it has answered.
    package func wait<Value>(for body: (inout State) -> Value?) -> Value {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(bell)
            pthread_mutex_unlock(lock)
        }
        while true {
            if let value = body(&state) { return value }
            pthread_cond_wait(bell, lock)
        }
    }
}
