import MultipeerConnectivity

/// How a session calls its delegate: how many at once, and whether on the main thread.
///
/// `@unchecked Sendable` because what changes is behind a lock.
final class Calls: @unchecked Sendable {
    private let lock = NSLock()
    private var now = 0
    private var most = 0
    private var wasOnMain = false

    /// Does what a call does.
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
