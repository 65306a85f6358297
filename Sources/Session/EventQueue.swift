public import LinuxPlatform

/// A queue of events for one reader. The callers that add events limit them, each kind in its own way. A caller can
/// receive a call when the reader takes an event.
///
/// The reader's functions are inlinable, so that the compiler specialises them: each message goes through them.
@Engine
public final class EventQueue<Event: Sendable> {
    @usableFromInline var entries = Waiting<Entry>()
    @usableFromInline var wake: Resumption<Void>?
    @usableFromInline var isFinished = false

    @usableFromInline struct Entry {
        @usableFromInline var event: Event
        @usableFromInline var taken: (@Engine () -> Void)?
    }

    /// Creates an empty queue.
    package init() {}

    /// The number of events that wait.
    package var count: Int { entries.count }

    /// - Parameter taken: called when the reader takes the event
    package func add(_ event: Event, taken: (@Engine () -> Void)? = nil) {
        guard !isFinished else { return }
        entries.append(Entry(event: event, taken: taken))
        wake?.resume(with: .success(()))
    }

    /// Replaces the newest event for which `isMeant` is true. Without one it adds the event.
    func replaceOrAdd(_ event: Event, where isMeant: (Event) -> Bool) {
        if entries.changeLast(where: { isMeant($0.event) }, { $0.event = event }) {
            return
        }
        add(event)
    }

    package func finish() {
        isFinished = true
        wake?.resume(with: .success(()))
    }

    /// The next event; nil at the end, or when the task is cancelled.
    @inlinable public func next() async -> Event? {
        while true {
            if let entry = entries.removeFirst() {
                entry.taken?()
                return entry.event
            }
            if isFinished || Task.isCancelled { return nil }
            precondition(wake == nil, "a queue of events has one reader")
            let wake = Resumption<Void>()
            self.wake = wake
            try? await wake.valueUnlessCancelled()
            self.wake = nil
        }
    }
}
