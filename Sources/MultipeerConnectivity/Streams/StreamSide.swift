import Foundation
import Synchronization

/// The common part of both ends of a stream: its status, and the events that its delegate knows.
///
/// Its state is behind a lock, because the pipe and the signal use it on other threads.
final class StreamSide {
    private let notifier: StreamNotifier
    private let state = Mutex(State())

    private struct State {
        var status = Stream.Status.notOpen
        /// True if the delegate knows that it can read or write, and has not done so since.
        var hasReportedWork = false
        var hasReportedEnd = false
    }

    /// An event for the delegate.
    enum News {
        /// Bytes are available, or there is space for some.
        case work(Stream.Event)
        /// The last event.
        case end(Stream.Event)
    }

    /// - Parameter pipe: the pipe that the stream observes
    init(of stream: any Stream & PipeWatcher, watching pipe: BytePipe) {
        notifier = StreamNotifier(for: stream)
        let watcher = WeakWatcher(watcher: stream)
        pipe.whenChanged { watcher.look() }
    }

    /// The status as far as opening and closing go.
    var status: Stream.Status { state.withLock { $0.status } }

    var isOpen: Bool { status == .open }

    /// Returns true if it was not open before.
    func open() -> Bool {
        let isFirst = state.withLock { state in
            guard state.status == .notOpen else { return false }
            state.status = .open
            return true
        }
        if isFirst { notifier.ring(.openCompleted) }
        return isFirst
    }

    func close() {
        state.withLock { $0.status = .closed }
        notifier.removeAll()
    }

    /// The app reads or writes, so the next event is reported again.
    func isUsed() { state.withLock { $0.hasReportedWork = false } }

    /// Reports a new event to the delegate.
    func tell(_ news: News?) {
        let event: Stream.Event? = state.withLock { state in
            guard state.status == .open else { return nil }
            switch news {
            case .work(let event) where !state.hasReportedWork:
                state.hasReportedWork = true
                return event
            case .end(let event) where !state.hasReportedEnd:
                state.hasReportedEnd = true
                return event
            default: return nil
            }
        }
        if let event { notifier.ring(event) }
    }

    func schedule(in runLoop: RunLoop, _ mode: RunLoop.Mode) { notifier.schedule(in: runLoop, mode) }

    func remove(from runLoop: RunLoop, _ mode: RunLoop.Mode) { notifier.remove(from: runLoop, mode) }
}
