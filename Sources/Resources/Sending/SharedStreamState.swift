/// What the readers of a stream share, under its lock. Unchecked because only the stream touches it, holding that lock.
final class SharedStreamState: @unchecked Sendable {
    let origin: any StreamOrigin
    var digests: BlockDigests
    var pieces: [StreamPiece] = []
    /// Where each reader is.
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

    /// Whether a reader that is here shares what it reads: with others, and as long as it has not fallen behind what is kept.
    func isShared(at offset: UInt64) -> Bool {
        guard readers.count > 1 else { return false }
        let piece = offset - offset % UInt64(SharedStream.pieceSize)
        return pieces.first.map { $0.start <= piece } ?? true
    }

    /// Whether what the slowest of those that still share has not read is about to be given up for a reader that is here.
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

    /// The piece that has to go is filled anew, unless somebody still copies from it: memory that one thread takes and another gives
    /// back is there for neither of them soon.
    private func freePiece(of plan: BlockPlan) -> StreamPiece {
        if pieces.count == SharedStream.keptPieces {
            var oldest = pieces.removeFirst()
            if isKnownUniquelyReferenced(&oldest) { return oldest }
        }
        return StreamPiece(byteCount: Int(min(UInt64(SharedStream.pieceSize), plan.total)))
    }
}
