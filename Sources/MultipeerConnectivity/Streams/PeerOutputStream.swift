import Foundation

/// The writing end of a stream to a peer. It may be used from any one thread.
final class PeerOutputStream: OutputStream, PipeWatcher {
    private let pipe: BytePipe
    private weak var listener: (any StreamDelegate)?
    private lazy var side = StreamSide(of: self, watching: pipe)

    init(into pipe: BytePipe) {
        self.pipe = pipe
        super.init(toMemory: ())
        _ = side
    }

    /// Foundation requires these two initializers of every output stream.
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
        let status = side.status
        return status == .closed || pipe.view.failure == nil ? status : .error
    }

    override var streamError: (any Error)? { pipe.view.failure }

    override var hasSpaceAvailable: Bool { streamStatus == .open && pipe.view.hasSpace }

    override func open() {
        if side.open() { look() }
    }

    /// Closes the stream after the written bytes; then the peer sees the end.
    override func close() {
        side.close()
        pipe.finish()
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        guard length > 0, side.isOpen else { return length == 0 ? 0 : -1 }
        side.isUsed()
        let count = pipe.write(UnsafeBufferPointer(start: buffer, count: length))
        look()
        return count
    }

    func look() {
        let view = pipe.view
        if view.failure != nil { return side.tell(.end(.errorOccurred)) }
        if view.hasSpace { side.tell(.work(.hasSpaceAvailable)) }
    }

    func isSo(_ event: Stream.Event) -> Bool { event != .hasSpaceAvailable || hasSpaceAvailable }

    func looksAgain() {
        side.isUsed()
        look()
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { side.schedule(in: runLoop, mode) }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { side.remove(from: runLoop, mode) }
}
