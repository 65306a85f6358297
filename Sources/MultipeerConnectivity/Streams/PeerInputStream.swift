import Foundation

/// The reading end of a peer's stream. It may be used from any one thread.
final class PeerInputStream: InputStream, PipeWatcher {
    private let pipe: BytePipe
    private weak var listener: (any StreamDelegate)?
    private lazy var side = StreamSide(of: self, watching: pipe)

    init(outOf pipe: BytePipe) {
        self.pipe = pipe
        super.init(data: Data())
        _ = side
    }

    deinit {
        pipe.discard()
    }

    override var delegate: (any StreamDelegate)? {
        get { listener }
        set { listener = newValue }
    }

    override var streamStatus: Stream.Status {
        let (status, view) = (side.status, pipe.view)
        guard status == .open else { return status }
        if view.hasBytes { return .open }
        return view.failure != nil ? .error : view.isAtEnd ? .atEnd : .open
    }

    override var streamError: (any Error)? { pipe.view.hasBytes ? nil : pipe.view.failure }

    override var hasBytesAvailable: Bool { side.isOpen && pipe.view.hasBytes }

    override func open() {
        if side.open() { look() }
    }

    /// Closes the stream, which the writer learns.
    override func close() {
        side.close()
        pipe.discard()
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard length > 0, side.isOpen else { return length == 0 ? 0 : -1 }
        side.isUsed()
        let count = pipe.read(into: UnsafeMutableBufferPointer(start: buffer, count: length))
        look()
        return count
    }

    /// Not supported: there is no memory to expose.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    func look() {
        let view = pipe.view
        if view.hasBytes { return side.tell(.work(.hasBytesAvailable)) }
        if view.failure != nil { return side.tell(.end(.errorOccurred)) }
        if view.isAtEnd { side.tell(.end(.endEncountered)) }
    }

    func isSo(_ event: Stream.Event) -> Bool { event != .hasBytesAvailable || hasBytesAvailable }

    func looksAgain() {
        side.isUsed()
        look()
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { side.schedule(in: runLoop, mode) }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { side.remove(from: runLoop, mode) }
}
