import MultipeerConnectivity

/// A stream with a delegate, as in apps. It reads on the main run loop, and writes on a thread with its own run loop.
///
/// `@unchecked Sendable` because after `init` only the thread of its run loop uses it.
final class StreamRunner: NSObject, StreamDelegate, @unchecked Sendable {
    private let stream: Stream
    private var left: Int
    private var count = 0
    private var isOver = false
    private let done: @Sendable (Int) -> Void
    /// Streams don't keep their delegates alive.
    private var itself: StreamRunner?

    private init(_ stream: Stream, writing left: Int, done: @escaping @Sendable (Int) -> Void) {
        self.stream = stream
        self.left = left
        self.done = done
    }

    static func write(_ count: Int, to stream: OutputStream) {
        let runner = StreamRunner(stream, writing: count, done: { _ in })
        Thread.detachNewThread {
            runner.stream.delegate = runner
            runner.stream.schedule(in: .current, forMode: .default)
            runner.stream.open()
            while !runner.isOver, RunLoop.current.run(mode: .default, before: .distantFuture) {}
            runner.stream.close()
        }
    }

    /// Schedules the stream on the main run loop. The session's call of its delegate calls this.
    static func read(_ stream: InputStream, done: @escaping @Sendable (Int) -> Void) {
        let runner = StreamRunner(stream, writing: 0, done: done)
        runner.itself = runner
        stream.delegate = runner
        stream.schedule(in: .main, forMode: .common)
        stream.open()
    }

    /// Reads on a thread of its own, without a run loop and a delegate.
    static func writeBlocking(_ count: Int, to stream: OutputStream) {
        let runner = StreamRunner(stream, writing: count, done: { _ in })
        Thread.detachNewThread {
            runner.stream.open()
            while !runner.isOver, runner.stream.streamStatus != .error { runner.write() }
            runner.stream.close()
        }
    }

    static func readBlocking(_ stream: InputStream, done: @escaping @Sendable (Int) -> Void) {
        let runner = StreamRunner(stream, writing: 0, done: done)
        Thread.detachNewThread {
            runner.stream.open()
            while runner.read() > 0 {}
            runner.stream.close()
            done(runner.count)
        }
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        switch eventCode {
        case .hasSpaceAvailable: write()
        case .hasBytesAvailable: read()
        case .endEncountered, .errorOccurred: end()
        default: break
        }
    }

    private func write() {
        guard let output = stream as? OutputStream, !isOver else { return }
        let bytes = [UInt8](repeating: 7, count: min(left, 10_000))
        left -= max(0, output.write(bytes, maxLength: bytes.count))
        isOver = left == 0
    }

    /// - Returns: the number of bytes, 0 at the end, negative after an error
    @discardableResult
    private func read() -> Int {
        guard let input = stream as? InputStream else { return -1 }
        var bytes = [UInt8](repeating: 0, count: 10_000)
        let come = input.read(&bytes, maxLength: bytes.count)
        count += max(0, come)
        return come
    }

    private func end() {
        isOver = true
        guard itself != nil else { return }
        stream.close()
        stream.remove(from: .main, forMode: .common)
        done(Thread.isMainThread ? count : -1)
        itself = nil
    }
}
