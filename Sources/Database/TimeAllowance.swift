import CSQLite
import Glibc

/// The CPU time that a connection may use. SQLite checks it every thousand steps, and each statement checks
/// it before it begins.
///
/// It is CPU time, so that a busy machine refuses nothing.
final class TimeAllowance {
    private let length: Duration
    /// The clock of one thread means nothing to another, so each thread that uses the connection gets its own
    /// allowance.
    private var thread = pthread_self()
    private var end: Duration

    init(_ length: Duration) {
        self.length = length
        end = Self.used + length
    }

    /// Installs the progress handler. The connection belongs to the same ``Database`` as this object and
    /// closes first.
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

    /// The CPU time that this thread has used.
    private static var used: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
