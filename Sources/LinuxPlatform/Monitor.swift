import CLinux
import Glibc

/// A value that several threads change, one at a time, and whose changes they can wait for.
///
/// Only for threads that work together: nothing on an event loop or on one of Swift's threads may wait here.
///
/// It may pass between threads because the state is touched only with the lock held, and lock and condition never move.
package final class Monitor<State>: @unchecked Sendable {
    private var state: State
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Begins with a value.
    package init(_ state: sending State) {
        self.state = state
        pthread_mutex_init(lock, nil)
        var manner = pthread_condattr_t()
        pthread_condattr_init(&manner)
        pthread_condattr_setclock(&manner, CLOCK_MONOTONIC)
        pthread_cond_init(bell, &manner)
        pthread_condattr_destroy(&manner)
    }

    deinit {
        pthread_cond_destroy(bell)
        pthread_mutex_destroy(lock)
        bell.deallocate()
        lock.deallocate()
    }

    /// Changes the value and wakes the waiting threads.
    package func update<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        try locked { try body(&state) }
    }

    /// Waits until the body returns an answer. It runs at once and after each change by another thread. Its own changes
    /// wake the others once it has returned an answer.
    package func wait<Value>(for body: (inout State) -> Value?) -> Value {
        locked {
            while true {
                if let value = body(&state) { return value }
                pthread_cond_wait(bell, lock)
            }
        }
    }

    /// The same, but gives up after a while and returns nil.
    package func wait<Value>(within limit: Duration, for body: (inout State) -> Value?) -> Value? {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + Int(limit / .nanoseconds(1))
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        return locked {
            while true {
                if let value = body(&state) { return value }
                guard pthread_cond_timedwait(bell, lock, &end) == 0 else { return body(&state) }
            }
        }
    }

    private func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(bell)
            pthread_mutex_unlock(lock)
        }
        return try body()
    }
}
