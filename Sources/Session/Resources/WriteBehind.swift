import LinuxPlatform
import Resources
import Synchronization

/// Writes into a sink on another thread than the one that receives: one batch is digested and written while the next one comes.
final class WriteBehind {
    /// One batch; there are two of them.
    private static let size = 256 << 10
    /// So much is worth waking the other thread for.
    private static let worthWriting = size / 2
    /// So much room is worth receiving into.
    private static let worthReceiving = size / 4

    private let sink: Handed<ResourceSink>
    private let loop: EventLoop
    private var coming = Batch()
    private var leaving = Batch()
    private var writing: Resumption<Void>?
    private var failure: (any Error)?
    /// How much has been written of what was put in.
    private(set) var writtenCount: UInt64 = 0

    /// `@unchecked Sendable` because one thread at a time has it: the receiving one until it is handed over, the other until it is
    /// written.
    private final class Batch: @unchecked Sendable {
        let scratch = Scratch(byteCount: WriteBehind.size)
        var filled = 0
        var pieces: [Piece] = []
        var byteCount: UInt64 = 0
        let isWritten = Atomic(true)

        func write(into sink: Handed<ResourceSink>) throws {
            defer { isWritten.store(true, ordering: .releasing) }
            for piece in pieces {
                switch piece {
                case .inRoom(let place):
                    try sink.value.write(UnsafeRawBufferPointer(rebasing: scratch.room[place]))
                case .apart(let bytes): try bytes.withUnsafeBytes { try sink.value.write($0) }
                }
            }
        }
    }

    private enum Piece {
        /// Where it was received.
        case inRoom(Range<Int>)
        /// Somewhere else, for it came before its room was there.
        case apart([UInt8])
    }

    /// - Parameter loop: on whose thread it is written
    init(into sink: Handed<ResourceSink>, on loop: EventLoop) {
        (self.sink, self.loop) = (sink, loop)
    }

    /// Where the next bytes are to be received.
    var room: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: coming.scratch.room[coming.filled...])
    }

    /// So many bytes of the room are in use, of which those that were put in count.
    func use(_ count: Int) {
        coming.filled += count
    }

    /// Has bytes written, after all before. Those that lie in the room are not copied.
    func put(_ bytes: UnsafeRawBufferPointer) {
        coming.byteCount += UInt64(bytes.count)
        let room = UnsafeRawBufferPointer(coming.scratch.room)
        guard let start = bytes.baseAddress, let first = room.baseAddress, start >= first,
            start + bytes.count <= first + room.count
        else { return coming.pieces.append(.apart(Array(bytes))) }
        let offset = start - first
        coming.pieces.append(.inRoom(offset..<(offset + bytes.count)))
    }

    /// Makes room, if it is time for that.
    nonisolated(nonsending) func makeRoom() async throws {
        guard coming.filled >= Self.worthWriting else { return }
        if !leaving.isWritten.load(ordering: .acquiring), room.count >= Self.worthReceiving { return }
        try await handOver()
    }

    /// Waits until all is written.
    nonisolated(nonsending) func finish() async throws {
        try await handOver()
        try await settle()
    }

    /// Waits until nobody writes any more, whatever comes of it. What has come is not lost.
    nonisolated(nonsending) func end() async {
        // What went wrong first is told already.
        try? await finish()
    }

    private nonisolated(nonsending) func handOver() async throws {
        try await settle()
        swap(&coming, &leaving)
        leaving.isWritten.store(false, ordering: .relaxed)
        // Once it is written nobody else may hold the sink: its file is locked for as long.
        let (batch, sink, writing) = (leaving, Loan(sink), Resumption<Void>())
        loop.perform { @Sendable in
            writing.resume(with: Result<Void, any Error> { try sink.take().map(batch.write) })
        }
        self.writing = writing
    }

    /// Nothing is written behind something that could not be.
    private nonisolated(nonsending) func settle() async throws {
        if let failure { throw failure }
        do {
            try await writing.take()?.value()
        } catch {
            failure = error
            throw error
        }
        writtenCount += leaving.byteCount
        leaving.pieces.removeAll(keepingCapacity: true)
        (leaving.filled, leaving.byteCount) = (0, 0)
    }
}
