import LinuxPlatform
import Transport
import Vocabulary
import Wire

/// A secure channel of a link for one stream or resource. A bulk loop of its own works on its frames.
///
/// One task may send while another receives.
actor DataChannel {
    nonisolated let loop: EventLoop
    nonisolated let secure: SecureChannel
    private var decoder: FrameDecoder<ChannelFrame>
    private var isClosed = false
    private var isSending = false
    private let room: ReadingRoom
    private let speed: SpeedLimiters
    /// The channel's memory and descriptors; nil for a channel that only says that there is no room.
    private let share: ChannelShare?

    init(
        _ secure: SecureChannel,
        _ decoder: FrameDecoder<ChannelFrame>,
        on bulk: BulkLoops.Bulk,
        _ share: ChannelShare?
    ) {
        self.secure = secure
        self.share = share
        (loop, room, speed) = (bulk.loop, bulk.room, bulk.speed)
        self.decoder = decoder
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func send(_ frame: ChannelFrame) async throws(ChannelError) {
        var bytes: [UInt8] = []
        frame.encode(into: &bytes)
        isSending = true
        defer { isSending = false }
        try await secure.send(bytes)
    }

    /// Sends bytes that already are a whole frame of data with its header, at the speed that the user allows.
    func send(encoded bytes: [UInt8]) async throws(ChannelError) {
        isSending = true
        defer { isSending = false }
        var rest = bytes[...]
        while let part = speed.sending.part, rest.count > 0 {
            try await pause(for: min(part, rest.count))
            try await secure.send(Array(rest.prefix(part)))
            rest = rest.dropFirst(part)
        }
        if rest.count == bytes.count {
            try await secure.send(bytes)
        } else if !rest.isEmpty {
            try await secure.send(Array(rest))
        }
    }

    /// Sends bytes that are a whole frame with its header, at the speed that the user allows.
    func send(encoded bytes: UnsafeRawBufferPointer) async throws(ChannelError) {
        isSending = true
        defer { isSending = false }
        var rest = bytes[...]
        while let part = speed.sending.part, !rest.isEmpty {
            try await pause(for: min(part, rest.count))
            try await secure.send(UnsafeRawBufferPointer(rebasing: rest.prefix(part)))
            rest = rest.dropFirst(part)
        }
        if !rest.isEmpty { try await secure.send(UnsafeRawBufferPointer(rebasing: rest)) }
    }

    private func pause(for count: Int) async throws(ChannelError) {
        do { try await speed.sending.pause(for: count, on: loop) } catch { throw .cancelled }
        guard !isClosed else { throw .closed }
    }

    /// Sends the reason of the end, and closes. If another frame is half sent, no further frame can follow: the channel
    /// is cut.
    func end(saying frame: ChannelFrame) async {
        guard !isSending else { return abort() }
        try? await send(frame)
        await close()
    }

    /// The next frame; nil if the other side has ended its half cleanly. Of `data` it returns the bytes that have
    /// arrived, which may be a part of a frame or several frames. So a peer that stops in the middle of a frame takes
    /// no memory here.
    func next() async throws -> ChannelFrame? {
        while true {
            // Frames after the last one do not count.
            guard !isClosed else { throw ChannelError.closed }
            if let frame = try decoder.next() { return frame }
            var data: [UInt8] = []
            let count = try await receive { data.append(contentsOf: $0) }
            guard !isClosed else { throw ChannelError.closed }
            if !data.isEmpty { return .data(data[...]) }
            if count == 0 { return nil }
        }
    }

    /// The next frame for a resource with this number of blocks, whose receiver lists the blocks that it holds.
    func next(holding blocks: Int) async throws -> ChannelFrame? {
        decoder.limitHeld(to: blocks)
        defer { decoder.limitHeld(to: 0) }
        return try await next()
    }

    /// Receives once, passes the bytes of `data` frames without a copy, and keeps the rest for ``next()``. Returns the
    /// number of received bytes; 0 is the other side's clean end.
    func receive(_ body: (UnsafeRawBufferPointer) throws -> Void) async throws -> Int {
        var outcome = Result<Void, any Error>.success(())
        let part = speed.receiving.part
        if part != nil { try await speed.receiving.pause(on: loop) }
        let space = UnsafeMutableRawBufferPointer(rebasing: room.bytes.prefix(part ?? room.bytes.count))
        let count = try await secure.receive(sharing: space) { bytes in
            outcome = Result { try decoder.append(bytes, passing: body) }
        }
        if part != nil { speed.receiving.book(count) }
        try outcome.get()
        return count
    }

    /// The next frame that has already arrived.
    func heldFrame() throws -> ChannelFrame? { try decoder.next() }

    func close() async {
        isClosed = true
        await secure.close(within: .seconds(1))
    }

    nonisolated func abort() {
        secure.abort()
    }
}
