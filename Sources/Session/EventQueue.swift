public import LinuxPlatform

/// What happened, in order, for one reader. It is bounded by those who add to it, each kind of event in its own way; they
/// can have themselves told when an event has been taken out.
///
/// What its reader calls can be seen from other modules, so that it is compiled for the type it is used with: it is on the way
/// of every message.
@Engine
public final class EventQueue<Event: Sendable> {
    @usableFromInline var entries = Waiting<Entry>()
    @usableFromInline var wake: Resumption<Void>?
    @usableFromInline var isFinished = false

    @usableFromInline struct Entry {
        @usableFromInline var event: Event
        @usableFromInline var taken: (@Engine () -> Void)?
    }

    /// Nothing has happened yet.
    package init() {}

    /// How many events wait.
    package var count: Int { entries.count }

    /// - Parameter taken: told when the reader has it
    package func add(_ event: Event, taken: (@Engine () -> Void)? = nil) {
        guard !isFinished else { return }
        entries.append(Entry(event: event, taken: taken))
        wake?.resume(with: .success(()))
    }

    /// Replaces the newest event of which `isMeant` holds, else adds.
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
