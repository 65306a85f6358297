import LinuxPlatform
import Resources
import Wire

/// Reads a resource on another thread than the one that sends it, a frame ahead: what is read and digested on the one goes out
/// on the other meanwhile.
final class ReadAhead {
    /// How much of a file is read and sent at a time. With its header it fills whole records of TLS.
    private static let size = 256 << 10

    private let reader: Handed<ResourceReader>
    private let loop: EventLoop
    private let rooms = (0..<2).map { _ in Handed(Scratch(byteCount: ReadAhead.size)) }
    private var turn = 0
    private var reading: Resumption<Int>?

    /// - Parameter loop: on whose thread it is read
    init(_ reader: Handed<ResourceReader>, on loop: EventLoop) {
        (self.reader, self.loop) = (reader, loop)
    }

    /// The next frame, header and all, until the one after it is asked for; nil at the end.
    nonisolated(nonsending) func next() async throws -> UnsafeRawBufferPointer? {
        let count = try await (reading.take() ?? read()).value()
        guard count > 0 else { return nil }
        let frame = rooms[turn].value.room
        turn = 1 - turn
        try await waitForOthers()
        reading = read()
        frame.copyBytes(from: LaneFrame.dataHeader(count: count))
        return UnsafeRawBufferPointer(rebasing: frame[..<(WireLimits.headerByteCount + count)])
    }

    /// Waits until nobody reads any more.
    nonisolated(nonsending) func end() async {
        // What became of it matters to nobody.
        _ = try? await reading.take()?.value()
    }

    private func read() -> Resumption<Int> {
        // Once it is read nobody else may hold the reader: other readers of the same file would wait for it.
        let (reader, scratch, count) = (Loan(reader), rooms[turn], Resumption<Int>())
        loop.perform { @Sendable in
            let room = UnsafeMutableRawBufferPointer(rebasing: scratch.value.room[WireLimits.headerByteCount...])
            count.resume(with: Result<Int, any Error> { try reader.take()?.value.fill(room) ?? 0 })
        }
        return count
    }

    /// Lets slower receivers of the same file catch up, so that it is read once for all of them. One that does not move is not
    /// waited for again: it has fallen behind then, and reads for itself.
    private nonisolated(nonsending) func waitForOthers() async throws {
        for _ in 0..<Self.mostPauses {
            guard reader.value.isFarAhead else { return }
            try await loop.sleep(for: Self.pause)
        }
    }

    private static let pause = Duration.milliseconds(2)
    private static let mostPauses = 50
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
