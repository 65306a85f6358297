import LinuxPlatform
import Resources
import Transport
import Vocabulary
import Wire

extension LaneChannel {
    /// How much of a file is read and sent at a time.
    private static let chunk = 256 << 10

    /// Sends the rest of a resource. It says where it starts, and answers the digest of the whole.
    func pump(_ reader: Handed<ResourceReader>, from start: UInt64) async throws -> ResourceDigest {
        try await send(.startAt(start))
        let header = WireLimits.headerByteCount
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: header + Self.chunk, alignment: 16)
        defer { room.deallocate() }
        while true {
            let bytes = UnsafeMutableRawBufferPointer(rebasing: room[header...])
            let count = try reader.value.read(into: bytes)
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
        while let frame = try await next() {
            guard case .data(let bytes) = frame else { return frame }
            try bytes.withUnsafeBytes { try sink.value.write($0) }
            guard sink.value.receivedBytes - told >= 1 << 20 else { continue }
            told = sink.value.receivedBytes
            try await wrote(told)
        }
        throw LaneError.lost(nil)
    }
}
