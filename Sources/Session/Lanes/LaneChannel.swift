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
    private let room: ReadingRoom
    /// What it costs, for as long as somebody holds it; nil for one that is only told that there is no room.
    private let share: LaneShare?

    init(_ lane: Lane, _ decoder: FrameDecoder<LaneFrame>, on bulk: BulkLoops.Bulk, _ share: LaneShare?) {
        self.lane = lane
        self.share = share
        (loop, room) = (bulk.loop, bulk.room)
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

    /// The next frame; nil where the other side has ended its half cleanly. Of `data` it answers what has come, be it a part of a frame or several:
    /// whoever leaves off in the middle of a frame has nothing kept here.
    func next() async throws -> LaneFrame? {
        while true {
            // What came behind the last word does not count.
            guard !isClosed else { throw LaneError.closed }
            if let frame = try decoder.next() { return frame }
            var data: [UInt8] = []
            let count = try await receive { data.append(contentsOf: $0) }
            guard !isClosed else { throw LaneError.closed }
            if !data.isEmpty { return .data(data[...]) }
            if count == 0 { return nil }
        }
    }

    /// The same for a lane that carries a resource of so many blocks, whose receiver says what it holds of them.
    func next(holding blocks: Int) async throws -> LaneFrame? {
        decoder.limitHeld(to: blocks)
        defer { decoder.limitHeld(to: 0) }
        return try await next()
    }

    /// Waits for what comes, hands out the bytes of `data` frames where they lie, and keeps the rest for ``next()``. Answers how much has come; 0 is the
    /// other side's clean end.
    func receive(_ body: (UnsafeRawBufferPointer) throws -> Void) async throws -> Int {
        var outcome = Result<Void, any Error>.success(())
        let count = try await lane.receive(sharing: room.bytes) { bytes in
            outcome = Result { try decoder.append(bytes, passing: body) }
        }
        try outcome.get()
        return count
    }

    /// A frame that has come already.
    func heldFrame() throws -> LaneFrame? { try decoder.next() }

    func close() async {
        isClosed = true
        await lane.close(within: .seconds(1))
    }

    nonisolated func abort() {
        lane.abort()
    }
}
