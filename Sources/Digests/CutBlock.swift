/// A block of a file in memory, with the pieces that begin and end in it.
///
/// because only the thread that has claimed a block under a lock works on it, the block may pass from thread
/// to thread
final class CutBlock: @unchecked Sendable {
    let room: UnsafeMutableRawBufferPointer
    /// The number of bytes in use.
    var count = 0
    /// The end of each piece. The next block continues at the last of them.
    var ends: [Int] = []
    var digests: [SHA256Digest] = []

    init(capacity: Int) {
        room = .allocate(byteCount: capacity, alignment: 4_096)
    }

    deinit {
        room.deallocate()
    }

    /// The bytes after the last piece.
    var rest: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: room[(ends.last ?? 0)..<count])
    }

    /// Finds the ends of the pieces. A piece that may continue is left to the next block, unless the file
    /// ends in this one.
    func cut(by cutter: PieceCutter, isLast: Bool) {
        ends.removeAll(keepingCapacity: true)
        var start = 0
        while start < count, isLast || count - start >= cutter.maximum {
            start += cutter.firstPiece(of: UnsafeRawBufferPointer(rebasing: room[start..<count]))
            ends.append(start)
        }
    }

    func digestPieces(with stream: inout SHA256Stream) {
        digests.removeAll(keepingCapacity: true)
        forEachPiece { _, bytes in digests.append(stream.digest(of: bytes)) }
    }

    func forEachPiece(_ body: (Int, UnsafeRawBufferPointer) throws -> Void) rethrows {
        var start = 0
        for (index, end) in ends.enumerated() {
            try body(index, UnsafeRawBufferPointer(rebasing: room[start..<end]))
            start = end
        }
    }
}
