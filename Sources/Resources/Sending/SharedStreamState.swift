/// State that the readers of a stream share. Unchecked because only the stream uses it while it holds its lock.
final class SharedStreamState: @unchecked Sendable {
    let origin: any StreamOrigin
    var digests: BlockDigests
    var pieces: [StreamPiece] = []
    /// Offset of each reader.
    var readers: [Int: UInt64] = [:]
    var lastReader = 0
    var bytesRead: UInt64 = 0

    init(origin: any StreamOrigin, digests: BlockDigests) {
        self.origin = origin
        self.digests = digests
    }

    func read(_ room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ResourceError) {
        try origin.fill(room, at: offset)
        bytesRead += UInt64(room.count)
        digests.note(UnsafeRawBufferPointer(room), at: offset)
    }

    /// True if a reader at this offset shares its reads: there are others, and it has not fallen behind the kept
    /// pieces.
    func isShared(at offset: UInt64) -> Bool {
        guard readers.count > 1 else { return false }
        let piece = offset - offset % UInt64(SharedStream.pieceSize)
        return pieces.first.map { $0.start <= piece } ?? true
    }

    /// True if a reader at this offset would soon displace pieces that the slowest sharing reader still needs.
    func isFarAhead(_ offset: UInt64) -> Bool {
        guard readers.count > 1, let oldest = pieces.first?.start else { return false }
        let slowest = readers.values.filter { $0 >= oldest }.min() ?? offset
        return offset > slowest && offset - slowest >= UInt64(SharedStream.pieceSize * (SharedStream.keptPieces - 2))
    }

    func piece(at offset: UInt64, _ plan: BlockPlan) throws(ResourceError) -> StreamPiece {
        let start = offset - offset % UInt64(SharedStream.pieceSize)
        if let kept = pieces.first(where: { $0.start == start }) { return kept }
        let piece = freePiece(of: plan)
        piece.move(to: start, count: Int(min(UInt64(SharedStream.pieceSize), plan.total - start)))
        try read(piece.room, at: start)
        pieces.append(piece)
        return piece
    }

    /// Reuses the oldest piece unless another thread still copies from it. Memory that one thread allocates and another
    /// frees is not quickly available to either.
    private func freePiece(of plan: BlockPlan) -> StreamPiece {
        if pieces.count == SharedStream.keptPieces {
            var oldest = pieces.removeFirst()
            if isKnownUniquelyReferenced(&oldest) { return oldest }
        }
        return StreamPiece(byteCount: Int(min(UInt64(SharedStream.pieceSize), plan.total)))
    }
}
