import LinuxPlatform
import Transport
import Vocabulary
import Wire

/// The frames of a further lane, worked on by the lane's own bulk loop.
///
/// One task may send while another receives.
actor LaneChannel {
    nonisolated let loop: EventLoop
    nonisolated let lane: Lane
    private var decoder: FrameDecoder<LaneFrame>
    private var isClosed = false
    private var isSending = false

    static let readSize = 256 << 10

    init(_ lane: Lane, _ decoder: FrameDecoder<LaneFrame>, on loop: EventLoop) {
        self.lane = lane
        self.loop = loop
        self.decoder = decoder
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func send(_ frame: LaneFrame) async throws(LaneError) {
        var bytes: [UInt8] = []
        frame.encode(into: &bytes)
        try await send(encoded: bytes)
    }

    func send(encoded bytes: [UInt8]) async throws(LaneError) {
        isSending = true
        defer { isSending = false }
        try await lane.send(bytes)
    }

    /// Sends bytes that are a whole frame already, header and all.
    func send(encoded bytes: UnsafeRawBufferPointer) async throws(LaneError) {
        isSending = true
        defer { isSending = false }
        try await lane.send(bytes)
    }

    /// Says why it ends, and ends it. Where something else is half said, nothing can be said any more: the lane is cut.
    func end(saying frame: LaneFrame) async {
        guard !isSending else { return abort() }
        try? await send(frame)
        await close()
    }

    /// The next frame; nil where the other side has ended its half cleanly.
    func next() async throws -> LaneFrame? {
        while true {
            // What came behind the last word does not count.
            guard !isClosed else { throw LaneError.closed }
            if let frame = try decoder.next() { return frame }
            let bytes = try await lane.receive(upTo: Self.readSize)
            guard !bytes.isEmpty else { return nil }
            decoder.append(bytes)
        }
    }

    /// A frame that has come already.
    func heldFrame() throws -> LaneFrame? { try decoder.next() }

    /// Takes bytes that were received, and hands out those of `data` frames where they lie.
    func pass(_ bytes: UnsafeRawBufferPointer, to body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try decoder.append(bytes, passing: body)
    }

    func close() async {
        isClosed = true
        await lane.close(within: .seconds(1))
    }

    nonisolated func abort() {
        lane.abort()
    }
}
