/// A stretch of a file in memory, with the pieces that begin and end in it.
///
/// because whoever claims a block works on it alone, and claiming is done under a lock, it may pass from thread to thread
final class CutBlock: @unchecked Sendable {
    let room: UnsafeMutableRawBufferPointer
    /// How many bytes there are of it.
    var count = 0
    /// Where each piece ends; the last of them is where the next block takes over.
    var ends: [Int] = []
    var digests: [SHA256Digest] = []

    init(capacity: Int) {
        room = .allocate(byteCount: capacity, alignment: 4_096)
    }

    deinit {
        room.deallocate()
    }

    /// What was read and belongs to no piece yet.
    var rest: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: room[(ends.last ?? 0)..<count])
    }

    /// Finds the ends of the pieces. Unless the file ends here, a piece that might still go on is left to the next block.
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
