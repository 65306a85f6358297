import LinuxPlatform
import Resources
import Transport
import Vocabulary
import Wire

extension LaneChannel {
    /// Sends the rest of a resource. It says where it starts, and answers the digest of the whole.
    ///
    /// - Parameter helper: the loop on whose thread it is read
    func pump(
        _ reader: Handed<ResourceReader>,
        from start: UInt64,
        readingOn helper: EventLoop
    ) async throws -> ContentDigest {
        try await send(.startAt(start))
        let ahead = ReadAhead(reader, on: helper)
        do {
            while let frame = try await ahead.next() { try await send(encoded: frame) }
        } catch {
            await ahead.end()
            throw error
        }
        return try reader.value.finish()
    }

    /// Writes what comes into a sink until the sender says that it was all, and answers what it says the whole is.
    ///
    /// - Parameters:
    ///   - helper: the loop on whose thread it is written
    ///   - wrote: told now and then how far it has come
    func drain(
        into sink: Handed<ResourceSink>,
        writingOn helper: EventLoop,
        wrote: @Engine @Sendable (UInt64) async throws -> Void
    ) async throws -> LaneFrame {
        let start = sink.value.receivedBytes
        let behind = WriteBehind(into: sink, on: helper)
        do {
            let last = try await drain(into: behind) { try await wrote(start + $0) }
            try await behind.finish()
            return last
        } catch {
            await behind.end()
            throw error
        }
    }

    private func drain(
        into behind: WriteBehind,
        wrote: @Engine @Sendable (UInt64) async throws -> Void
    ) async throws -> LaneFrame {
        var told: UInt64 = 0
        while true {
            // What came before anybody waited for data, or behind something else.
            while let frame = try heldFrame() {
                guard case .data(let bytes) = frame else { return frame }
                bytes.withUnsafeBytes { behind.put($0) }
                try await behind.finish()
            }
            let room = behind.room
            let count = try await lane.receive(into: room)
            guard count > 0 else { throw LaneError.lost(nil) }
            pass(UnsafeRawBufferPointer(rebasing: room[..<count])) { behind.put($0) }
            behind.use(count)
            try await behind.makeRoom()
            guard behind.writtenCount - told >= 1 << 20 else { continue }
            told = behind.writtenCount
            try await wrote(told)
        }
    }
}
