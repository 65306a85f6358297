import Foundation
import Synchronization

/// What both sides of a stream have in common: whether it is open, and what its delegate has been told.
///
/// Its state is behind a lock, as the pipe's and the bell's are, for those look at it from other threads.
final class StreamSide {
    private let bell: StreamBell
    private let state = Mutex(State())

    private struct State {
        var status = Stream.Status.notOpen
        /// Whether the delegate knows that there is something to do, and has not done it since.
        var hasToldWork = false
        var hasToldEnd = false
    }

    /// What a delegate could be told of.
    enum News {
        /// There are bytes, or there is space for some.
        case work(Stream.Event)
        /// Nothing comes after it.
        case end(Stream.Event)
    }

    /// - Parameter pipe: where the stream looks whenever something has changed
    init(of stream: any Stream & PipeWatcher, watching pipe: BytePipe) {
        bell = StreamBell(for: stream)
        let watcher = WeakWatcher(watcher: stream)
        pipe.whenChanged { watcher.look() }
    }

    /// As far as opening and closing go.
    var status: Stream.Status { state.withLock { $0.status } }

    var isOpen: Bool { status == .open }

    /// Answers whether it was not open before.
    func open() -> Bool {
        let isFirst = state.withLock { state in
            guard state.status == .notOpen else { return false }
            state.status = .open
            return true
        }
        if isFirst { bell.ring(.openCompleted) }
        return isFirst
    }

    func close() {
        state.withLock { $0.status = .closed }
        bell.removeAll()
    }

    /// The app reads or writes, and is to be told anew when it can do so again.
    func isUsed() { state.withLock { $0.hasToldWork = false } }

    /// Tells the delegate what it does not know yet.
    func tell(_ news: News?) {
        let event: Stream.Event? = state.withLock { state in
            guard state.status == .open else { return nil }
            switch news {
            case .work(let event) where !state.hasToldWork:
                state.hasToldWork = true
                return event
            case .end(let event) where !state.hasToldEnd:
                state.hasToldEnd = true
                return event
            default: return nil
            }
        }
        if let event { bell.ring(event) }
    }

    func schedule(in runLoop: RunLoop, _ mode: RunLoop.Mode) { bell.schedule(in: runLoop, mode) }

    func remove(from runLoop: RunLoop, _ mode: RunLoop.Mode) { bell.remove(from: runLoop, mode) }
}
