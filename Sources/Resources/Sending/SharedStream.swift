import LinuxPlatform
import Synchronization
import Vocabulary

/// The stream of a source and its known digests, shared by its readers.
///
/// A single reader reads directly into its own memory. Several readers share pieces: the first one that needs a piece
/// reads it, and the last 16 pieces are kept for the others.
final class SharedStream: Sendable {
    static let pieceSize = 256 << 10
    /// Number of kept pieces: readers up to 4 MiB apart share them.
    static let keptPieces = 16

    let plan: BlockPlan
    private let state: Mutex<SharedStreamState>

    init(_ origin: any StreamOrigin, _ plan: BlockPlan) {
        self.plan = plan
        state = Mutex(SharedStreamState(origin: origin, digests: BlockDigests(plan)))
    }

    /// Returns the number of the new reader.
    func addReader() -> Int {
        state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = 0
            return state.lastReader
        }
    }

    func removeReader(_ reader: Int) {
        state.withLock { state in
            state.readers[reader] = nil
            if state.readers.count <= 1 { state.pieces = [] }
        }
    }

    func move(_ reader: Int, to offset: UInt64) {
        state.withLock { $0.readers[reader] = offset }
    }

    func isFarAhead(_ reader: Int) -> Bool {
        state.withLock { state in state.readers[reader].map { state.isFarAhead($0) } ?? false }
    }

    /// Number of bytes that were read from the source, for measurements.
    var bytesRead: UInt64 { state.withLock { $0.bytesRead } }

    /// Copies bytes of the stream from an offset.
    ///
    /// - Returns: the number of bytes, less than the room at the end of a piece or of the stream
    func copy(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ResourceError) -> Int {
        let count = Int(min(UInt64(room.count), plan.total - offset))
        guard count > 0 else { return 0 }
        // because the caller's memory is valid during this call, and the lock is released within it
        nonisolated(unsafe) let room = UnsafeMutableRawBufferPointer(rebasing: room.prefix(count))
        let piece = try state.withLock { state throws(ResourceError) -> StreamPiece? in
            guard state.isShared(at: offset) else {
                try state.read(room, at: offset)
                return nil
            }
            return try state.piece(at: offset, plan)
        }
        return piece?.copy(into: room, from: offset) ?? count
    }

    /// The digest of a block, which is read if no reader has passed it yet.
    func digest(of block: Int, using scratch: Scratch) throws(ResourceError) -> ContentDigest {
        if let known = state.withLock({ $0.digests[block] }) { return known }
        try read(from: plan.start(of: block), to: plan.end(of: block), using: scratch) { _ in }
        guard let digest = state.withLock({ $0.digests[block] }) else {
            preconditionFailure("a block that was read completely has a digest")
        }
        return digest
    }

    /// Reads a part of the stream, piece by piece.
    func read(
        from start: UInt64,
        to end: UInt64,
        using scratch: Scratch,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ResourceError) {
        var offset = start
        while offset < end {
            let room = scratch.prefix(end - offset)
            let count = try copy(into: room, at: offset)
            body(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
            offset += UInt64(count)
        }
    }

    func requireUnchanged() throws(ResourceError) {
        try state.withLock { state throws(ResourceError) in try state.origin.requireUnchanged() }
    }
}
