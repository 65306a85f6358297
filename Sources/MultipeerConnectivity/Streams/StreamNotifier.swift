import Foundation

/// Reports events to a stream's delegate on the run loops in which the stream is scheduled.
///
/// Foundation on Linux has no custom source that wakes a run loop. A timer that never fires by itself keeps the loop
/// alive, and firing it wakes the loop. Unlike a source, a timer does not end `run(mode:before:)`, which many apps call
/// in a loop; so this type ends it explicitly.
///
/// `@unchecked Sendable` because its mutable state is behind the lock, and other threads only set a timer's next date,
/// which Core Foundation locks.
final class StreamNotifier: @unchecked Sendable {
    private let state = Locked(State())
    private weak let stream: (any Stream & PipeWatcher)?

    /// Run loops compare by identity; the timers belong to them.
    private struct State {
        var places: [Place] = []
        var due: [Stream.Event] = []
    }

    private struct Place {
        let runLoop: RunLoop
        let mode: RunLoop.Mode
        let timer: Timer
    }

    init(for stream: any Stream & PipeWatcher) {
        self.stream = stream
    }

    private static let aVeryLongTime: TimeInterval = 1e9

    func schedule(in runLoop: RunLoop, _ mode: RunLoop.Mode) {
        let timer = Timer(fire: .distantFuture, interval: Self.aVeryLongTime, repeats: true) { [weak self] _ in
            self?.tellAll()
        }
        let place = Place(runLoop: runLoop, mode: mode, timer: timer)
        runLoop.add(timer, forMode: mode)
        let isDue = state.withLock { state in
            state.places.append(place)
            return !state.due.isEmpty
        }
        if isDue { timer.fireDate = Date() }
    }

    func remove(from runLoop: RunLoop, _ mode: RunLoop.Mode) {
        let removed = state.withLock { state in
            let isMeant = { (place: Place) in place.runLoop === runLoop && place.mode == mode }
            let removed = state.places.filter(isMeant)
            state.places.removeAll(where: isMeant)
            return (timers: removed.map(\.timer), next: state.due.isEmpty ? nil : state.places.first?.timer)
        }
        for timer in removed.timers { timer.invalidate() }
        // Pending events are reported on the remaining run loops.
        removed.next?.fireDate = Date()
    }

    /// Stops all reports, including pending ones.
    func removeAll() {
        let removed = state.withLock { state in
            defer { (state.places, state.due) = ([], []) }
            return state.places
        }
        for place in removed { place.timer.invalidate() }
    }

    /// Queues an event, reported at the next turn of a run loop.
    func ring(_ event: Stream.Event) {
        let timer = state.withLock { state in
            if !state.due.contains(event) { state.due.append(event) }
            return state.places.first?.timer
        }
        timer?.fireDate = Date()
    }

    /// Reports the pending events. Events that arise during a report, as more bytes after a read, wait until the run
    /// loop has served everything else. Otherwise a peer that is quicker than the app would never let it end.
    private func tellAll() {
        for _ in 0..<state.withLock({ $0.due.count }) {
            let event = state.withLock { $0.due.isEmpty ? nil : $0.due.removeFirst() }
            guard let event, let stream else { return }
            // Another use of the stream may have taken the bytes or the space. The delegate would find nothing, do
            // nothing, and never hear of the next event; or it would wait for bytes and block the run loop.
            guard stream.isSo(event) else {
                stream.looksAgain()
                continue
            }
            stream.delegate?.stream(stream, handle: event)
            RunLoop.current._stop()
        }
    }
}
