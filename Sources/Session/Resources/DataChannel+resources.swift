import LinuxPlatform
import Resources
import Transport
import Vocabulary
import Wire

extension DataChannel {
    /// The size of a read and of a frame. With its header it fills whole records of TLS.
    private static let chunk = (256 << 10) - WireLimits.headerByteCount

    /// Sends the offset and the rest of a resource, and returns the digest of the whole.
    func pump(_ reader: UncheckedTransfer<ResourceReader>, from start: UInt64) async throws -> ContentDigest {
        try await send(.startAt(start))
        let header = WireLimits.headerByteCount
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: header + Self.chunk, alignment: 16)
        defer { room.deallocate() }
        while true {
            try await waitForOthers(reader)
            let count = try reader.value.fill(UnsafeMutableRawBufferPointer(rebasing: room[header...]))
            guard count > 0 else { break }
            room.copyBytes(from: ChannelFrame.dataHeader(count: count))
            try await send(encoded: UnsafeRawBufferPointer(rebasing: room[..<(header + count)]))
        }
        return try reader.value.finish()
    }

    /// Lets slower receivers of the same file catch up, so that one reading is enough for all of them. It does not wait
    /// again for a receiver that does not move: that one has fallen behind, and reads for itself.
    private func waitForOthers(_ reader: UncheckedTransfer<ResourceReader>) async throws {
        for _ in 0..<Self.mostPauses {
            guard reader.value.isFarAhead else { return }
            try await loop.sleep(for: Self.pause)
        }
    }

    private static let pause = Duration.milliseconds(2)
    private static let mostPauses = 50

    /// Writes the received bytes into a sink, and returns the first frame that is not data.
    ///
    /// - Parameters:
    ///   - pause: the time between two reports on a slow connection
    ///   - wrote: receives the number of written bytes
    func drain(
        into sink: UncheckedTransfer<ResourceSink>,
        reportingEvery pause: Duration,
        wrote: @Engine @Sendable (UInt64) async throws -> Void
    ) async throws -> ChannelFrame {
        var (reported, reportedAt) = (sink.value.receivedBytes, ContinuousClock.now)
        while true {
            // Frames that arrived before this call.
            while let frame = try heldFrame() {
                guard case .data(let bytes) = frame else { return frame }
                try bytes.withUnsafeBytes { try sink.value.write($0) }
            }
            let count = try await receive { try sink.value.write($0) }
            guard count > 0 else { throw ChannelError.lost(nil) }
            let received = sink.value.receivedBytes
            let isMuch = received - reported >= 1 << 20
            guard isMuch || received > reported && ContinuousClock.now - reportedAt >= pause else { continue }
            (reported, reportedAt) = (received, .now)
            try await wrote(reported)
        }
    }
}

extension ResourceReader {
    /// Reads until the room is full or the stream ends.
    fileprivate func fill(_ room: UnsafeMutableRawBufferPointer) throws(ResourceError) -> Int {
        var filled = 0
        while filled < room.count {
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: room[filled...]))
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }
}
