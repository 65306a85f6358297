/// What the readers of a stream share, under its lock. Unchecked because only the stream touches it, holding that lock.
final class SharedStreamState: @unchecked Sendable {
    let origin: any StreamOrigin
    var digests: BlockDigests
    var pieces: [StreamPiece] = []
    var readerCount = 0
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

    func piece(at offset: UInt64, _ plan: BlockPlan) throws(ResourceError) -> StreamPiece {
        let start = offset - offset % UInt64(SharedStream.pieceSize)
        if let kept = pieces.first(where: { $0.start == start }) { return kept }
        let count = Int(min(UInt64(SharedStream.pieceSize), plan.total - start))
        let piece = StreamPiece(start: start, count: count)
        try read(piece.room, at: start)
        if pieces.count == SharedStream.keptPieces { pieces.removeFirst() }
        pieces.append(piece)
        return piece
    }
}
