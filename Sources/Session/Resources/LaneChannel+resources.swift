import LinuxPlatform
import Resources
import Transport
import Vocabulary
import Wire

extension LaneChannel {
    /// How much of a file is read and sent at a time. With its header it fills whole records of TLS.
    private static let chunk = (256 << 10) - WireLimits.headerByteCount

    /// Sends the rest of a resource. It says where it starts, and answers the digest of the whole.
    func pump(_ reader: Handed<ResourceReader>, from start: UInt64) async throws -> ResourceDigest {
        try await send(.startAt(start))
        let header = WireLimits.headerByteCount
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: header + Self.chunk, alignment: 16)
        defer { room.deallocate() }
        while true {
            let count = try reader.value.fill(UnsafeMutableRawBufferPointer(rebasing: room[header...]))
            guard count > 0 else { break }
            room.copyBytes(from: LaneFrame.dataHeader(count: count))
            try await lane.send(UnsafeRawBufferPointer(rebasing: room[..<(header + count)]))
        }
        return try reader.value.finish()
    }

    /// Writes what comes into a sink until the sender says that it was all, and answers what it says the whole is.
    ///
    /// - Parameter wrote: told now and then how far it has come
    func drain(
        into sink: Handed<ResourceSink>,
        wrote: @Engine @Sendable (UInt64) async throws -> Void
    ) async throws -> LaneFrame {
        var told = sink.value.receivedBytes
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
        defer { room.deallocate() }
        while true {
            // What came before anybody waited for data.
            while let frame = try heldFrame() {
                guard case .data(let bytes) = frame else { return frame }
                try bytes.withUnsafeBytes { try sink.value.write($0) }
            }
            let count = try await lane.receive(into: room)
            guard count > 0 else { throw LaneError.lost(nil) }
            try pass(UnsafeRawBufferPointer(rebasing: room[..<count])) { try sink.value.write($0) }
            guard sink.value.receivedBytes - told >= 1 << 20 else { continue }
            told = sink.value.receivedBytes
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
