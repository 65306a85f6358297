import Foundation
import Synchronization

/// What an app reads from a peer.
///
/// It may be used from any one thread; its state is behind a lock, as the pipe's and the bell's are, for those look at it from others.
final class PeerInputStream: InputStream, PipeWatcher {
    private let pipe: BytePipe
    private let state = Mutex(State())
    private weak var listener: (any StreamDelegate)?
    private lazy var bell = StreamBell(for: self)

    private struct State {
        var status = Stream.Status.notOpen
        /// Whether the delegate knows that there are bytes, and has not read since.
        var hasToldBytes = false
        var hasToldEnd = false
    }

    init(outOf pipe: BytePipe) {
        self.pipe = pipe
        super.init(data: Data())
        _ = bell
        let watcher = WeakWatcher(watcher: self)
        pipe.whenChanged { watcher.look() }
    }

    deinit {
        pipe.discard()
    }

    override var delegate: (any StreamDelegate)? {
        get { listener }
        set { listener = newValue }
    }

    override var streamStatus: Stream.Status {
        let (status, view) = (state.withLock { $0.status }, pipe.view)
        guard status == .open else { return status }
        if view.hasBytes { return .open }
        return view.failure != nil ? .error : view.isAtEnd ? .atEnd : .open
    }

    override var streamError: (any Error)? { pipe.view.hasBytes ? nil : pipe.view.failure }

    override var hasBytesAvailable: Bool { state.withLock { $0.status } == .open && pipe.view.hasBytes }

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

    /// The writer is told that nobody reads any more.
    override func close() {
        state.withLock { $0.status = .closed }
        bell.removeAll()
        pipe.discard()
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard length > 0, state.withLock({ $0.status }) == .open else { return length == 0 ? 0 : -1 }
        state.withLock { $0.hasToldBytes = false }
        let count = pipe.read(into: UnsafeMutableBufferPointer(start: buffer, count: length))
        look()
        return count
    }

    /// There is no memory to be looked into from outside.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    /// Tells the delegate what is news.
    func look() {
        let view = pipe.view
        let event: Stream.Event? = state.withLock { state in
            guard state.status == .open else { return nil }
            if view.hasBytes {
                defer { state.hasToldBytes = true }
                return state.hasToldBytes ? nil : .hasBytesAvailable
            }
            guard view.failure != nil || view.isAtEnd, !state.hasToldEnd else { return nil }
            state.hasToldEnd = true
            return view.failure == nil ? .endEncountered : .errorOccurred
        }
        if let event { bell.ring(event) }
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { bell.schedule(in: runLoop, mode) }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { bell.remove(from: runLoop, mode) }
}
