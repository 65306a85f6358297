import MultipeerConnectivity

/// Counts a session's calls of its delegate: the maximum at once, and those on the main thread.
///
/// `@unchecked Sendable` because a lock guards its variables.
final class Calls: @unchecked Sendable {
    private let lock = NSLock()
    private var now = 0
    private var most = 0
    private var wasOnMain = false

    /// Runs the body of a call.
    func during(_ work: () -> Void) {
        lock.withLock {
            now += 1
            most = max(most, now)
            wasOnMain = wasOnMain || Thread.isMainThread
        }
        work()
        lock.withLock { now -= 1 }
    }

    var description: String { lock.withLock { "\(most) at once, \(wasOnMain ? "on" : "off") the main thread" } }
}
