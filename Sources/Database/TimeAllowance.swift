import CSQLite
import Glibc

/// How long a connection may go on computing. SQLite asks every thousand steps, and each statement asks before it begins.
///
/// It is the processor's time that counts, so that nothing is refused because the machine is busy.
final class TimeAllowance {
    private let length: Duration
    /// A thread's clock says nothing to another, so that each thread that works on the connection has its own allowance.
    private var thread = pthread_self()
    private var end: Duration

    init(_ length: Duration) {
        self.length = length
        end = Self.used + length
    }

    /// The connection belongs to the same ``Database`` as this and is closed first.
    func watch(_ connection: OpaquePointer) {
        // because the database keeps this object for as long as its connection is open
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            connection,
            Self.steps,
            { context in
                guard let context else { return 1 }
                // because it is what was passed above
                return Unmanaged<TimeAllowance>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            },
            context
        )
    }

    private static let steps: CInt = 1000

    var isOver: Bool {
        if pthread_equal(thread, pthread_self()) == 0 { (thread, end) = (pthread_self(), Self.used + length) }
        return Self.used >= end
    }

    /// What this thread has had of the processor.
    private static var used: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
