import Foundation

/// An observer of a pipe, called after each change, on any thread.
protocol PipeWatcher: AnyObject {
    func look()

    /// True if an event that is about to be reported still applies.
    func isSo(_ event: Stream.Event) -> Bool

    /// Resets the state after an event that was not reported.
    func looksAgain()
}

/// A weak reference from a pipe to its stream.
///
/// `@unchecked Sendable` because `look()` locks the state that it changes. Foundation's streams can't be `Sendable`.
struct WeakWatcher: @unchecked Sendable {
    weak let watcher: (any PipeWatcher)?

    func look() { watcher?.look() }
}
