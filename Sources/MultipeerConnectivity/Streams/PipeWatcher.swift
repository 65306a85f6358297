import Foundation

/// Who looks at a pipe whenever something has changed in it, on whatever thread that was.
protocol PipeWatcher: AnyObject {
    func look()

    /// Whether an event that is about to be told is still so.
    func isSo(_ event: Stream.Event) -> Bool

    /// The event that was not told counts as if it had never been.
    func looksAnew()
}

/// Lets a pipe tell a stream that may be gone.
///
/// `@unchecked Sendable` because looking locks whatever it changes. Foundation's streams themselves can't be `Sendable`.
struct WeakWatcher: @unchecked Sendable {
    weak let watcher: (any PipeWatcher)?

    func look() { watcher?.look() }
}
