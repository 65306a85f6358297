import Foundation

/// Tells a stream's delegate what happens, on the run loops that the stream is scheduled in.
///
/// Foundation on Linux has no way for a source of one's own that wakes a run loop. A timer that never fires by itself keeps the loop alive, and firing
/// it wakes the loop. Unlike a source a timer does not end `run(mode:before:)`, for which many apps wait in a loop of theirs: that is asked for.
///
/// `@unchecked Sendable` because what changes is behind the lock, and run loops and timers are told from other threads only what Core Foundation locks by
/// itself: a timer's next date.
final class StreamBell: @unchecked Sendable {
    private let state = Guarded(State())
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
        // What is due is told where the stream is still scheduled.
        removed.next?.fireDate = Date()
    }

    /// Tells nothing more, not even what is due.
    func removeAll() {
        let removed = state.withLock { state in
            defer { (state.places, state.due) = ([], []) }
            return state.places
        }
        for place in removed { place.timer.invalidate() }
    }

    /// Puts an event in, to be told as soon as a run loop comes to it.
    func ring(_ event: Stream.Event) {
        let timer = state.withLock { state in
            if !state.due.contains(event) { state.due.append(event) }
            return state.places.first?.timer
        }
        timer?.fireDate = Date()
    }

    /// Tells what is due by now. What becomes due by that, as more bytes do for whoever reads some, has its turn when everything else in the run loop has had
    /// one: with a peer that is quicker than the app there would else be no end.
    private func tellAll() {
        for _ in 0..<state.withLock({ $0.due.count }) {
            let event = state.withLock { $0.due.isEmpty ? nil : $0.due.removeFirst() }
            guard let event, let stream else { return }
            // Another use of the stream may have taken the bytes, or the space. Who is told finds nothing then, does nothing, and would never hear of
            // the next; or waits for it, and holds up the run loop.
            guard stream.isSo(event) else {
                stream.looksAnew()
                continue
            }
            stream.delegate?.stream(stream, handle: event)
            RunLoop.current._stop()
        }
    }
}
