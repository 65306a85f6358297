/// A piece of a stream that several readers copy from. Unchecked because its memory is filled before anybody else sees the
/// piece, and never changed afterwards.
final class StreamPiece: @unchecked Sendable {
    let start: UInt64
    let room: UnsafeMutableRawBufferPointer

    init(start: UInt64, count: Int) {
        self.start = start
        room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
    }

    deinit {
        room.deallocate()
    }

    func copy(into other: UnsafeMutableRawBufferPointer, from offset: UInt64) -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: room[Int(offset - start)...].prefix(other.count))
        other.copyMemory(from: bytes)
        return bytes.count
    }
}
