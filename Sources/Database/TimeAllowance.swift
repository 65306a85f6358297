import CSQLite

/// Until when a connection may go on computing. SQLite asks every few thousand steps.
final class TimeAllowance {
    private let length: Duration
    private var end: ContinuousClock.Instant

    init(_ length: Duration) {
        self.length = length
        end = .now + length
    }

    func renew() {
        end = .now + length
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

    private static let steps: CInt = 4000

    private var isOver: Bool { ContinuousClock.now >= end }
}
