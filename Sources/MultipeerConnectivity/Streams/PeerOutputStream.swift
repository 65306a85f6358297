import Foundation
import Synchronization

/// What an app writes to a peer.
///
/// It may be used from any one thread; its state is behind a lock, as the pipe's and the bell's are, for those look at it from others.
final class PeerOutputStream: OutputStream, PipeWatcher {
    private let pipe: BytePipe
    private let state = Mutex(State())
    private weak var listener: (any StreamDelegate)?
    private lazy var bell = StreamBell(for: self)

    private struct State {
        var status = Stream.Status.notOpen
        /// Whether the delegate knows that there is space, and has not written since.
        var hasToldSpace = false
        var hasToldEnd = false
    }

    init(into pipe: BytePipe) {
        self.pipe = pipe
        super.init(toMemory: ())
        _ = bell
        let watcher = WeakWatcher(watcher: self)
        pipe.whenChanged { watcher.look() }
    }

    /// Foundation asks for these two of every stream that is written to.
    required init(toMemory: ()) {
        pipe = BytePipe()
        super.init(toMemory: ())
    }

    deinit {
        pipe.finish()
    }

    override var delegate: (any StreamDelegate)? {
        get { listener }
        set { listener = newValue }
    }

    override var streamStatus: Stream.Status {
        if state.withLock({ $0.status }) == .closed { return .closed }
        return pipe.view.failure == nil ? state.withLock { $0.status } : .error
    }

    override var streamError: (any Error)? { pipe.view.failure }

    override var hasSpaceAvailable: Bool { streamStatus == .open && pipe.view.hasSpace }

    override func open() {
        let isFirst = state.withLock { state in
            guard state.status == .notOpen else { return false }
            state.status = .open
            return true
        }
        guard isFirst else { return }
        bell.ring(.openCompleted)
        look()
    }

    /// What was written still goes; then the peer sees the end.
    override func close() {
        state.withLock { $0.status = .closed }
        bell.removeAll()
        pipe.finish()
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        guard length > 0, state.withLock({ $0.status }) == .open else { return length == 0 ? 0 : -1 }
        state.withLock { $0.hasToldSpace = false }
        let count = pipe.write(UnsafeBufferPointer(start: buffer, count: length))
        look()
        return count
    }

    /// Tells the delegate what is news.
    func look() {
        let view = pipe.view
        let event: Stream.Event? = state.withLock { state in
            guard state.status == .open else { return nil }
            if view.failure != nil {
                defer { state.hasToldEnd = true }
                return state.hasToldEnd ? nil : .errorOccurred
            }
            guard view.hasSpace, !state.hasToldSpace else { return nil }
            state.hasToldSpace = true
            return .hasSpaceAvailable
        }
        if let event { bell.ring(event) }
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { bell.schedule(in: runLoop, mode) }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { bell.remove(from: runLoop, mode) }
}
