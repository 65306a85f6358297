import LinuxPlatform
import Resources
import Transport
import Vocabulary
import Wire

extension LaneChannel {
    /// How much of a file is read and sent at a time. With its header it fills whole records of TLS.
    private static let chunk = (256 << 10) - WireLimits.headerByteCount

    /// Sends the rest of a resource. It says where it starts, and answers the digest of the whole.
    func pump(_ reader: Handed<ResourceReader>, from start: UInt64) async throws -> ContentDigest {
        try await send(.startAt(start))
        let header = WireLimits.headerByteCount
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: header + Self.chunk, alignment: 16)
        defer { room.deallocate() }
        while true {
            try await waitForOthers(reader)
            let count = try reader.value.fill(UnsafeMutableRawBufferPointer(rebasing: room[header...]))
            guard count > 0 else { break }
            room.copyBytes(from: LaneFrame.dataHeader(count: count))
            try await send(encoded: UnsafeRawBufferPointer(rebasing: room[..<(header + count)]))
        }
        return try reader.value.finish()
    }

    /// Lets slower receivers of the same file catch up, so that it is read once for all of them. One that does not move is not
    /// waited for again: it has fallen behind then, and reads for itself.
    private func waitForOthers(_ reader: Handed<ResourceReader>) async throws {
        for _ in 0..<Self.mostPauses {
            guard reader.value.isFarAhead else { return }
            try await loop.sleep(for: Self.pause)
        }
    }

    private static let pause = Duration.milliseconds(2)
    private static let mostPauses = 50

    /// Writes what comes into a sink until the sender says that it was all, and answers what it says the whole is.
    ///
    /// - Parameters:
    ///   - pause: after which it is told, on a line so slow that little has come
    ///   - wrote: told now and then how far it has come
    func drain(
        into sink: Handed<ResourceSink>,
        tellingEvery pause: Duration,
        wrote: @Engine @Sendable (UInt64) async throws -> Void
    ) async throws -> LaneFrame {
        var (told, toldAt) = (sink.value.receivedBytes, ContinuousClock.now)
        while true {
            // What came before anybody waited for data.
            while let frame = try heldFrame() {
                guard case .data(let bytes) = frame else { return frame }
                try bytes.withUnsafeBytes { try sink.value.write($0) }
            }
            let count = try await receive { try sink.value.write($0) }
            guard count > 0 else { throw LaneError.lost(nil) }
            let received = sink.value.receivedBytes
            let isMuch = received - told >= 1 << 20
            guard isMuch || received > told && ContinuousClock.now - toldAt >= pause else { continue }
            (told, toldAt) = (received, .now)
            try await wrote(told)
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
