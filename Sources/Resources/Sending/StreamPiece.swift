/// A piece of a stream that several readers copy from. Unchecked because its memory is only filled while one owner
/// holds it.
final class StreamPiece: @unchecked Sendable {
    private(set) var start: UInt64
    private(set) var room: UnsafeMutableRawBufferPointer
    private let memory: UnsafeMutableRawBufferPointer

    /// - Parameter byteCount: capacity in bytes
    init(byteCount: Int) {
        start = 0
        memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        room = memory
    }

    deinit {
        memory.deallocate()
    }

    /// Moves the piece to another offset. The only owner then fills it.
    func move(to start: UInt64, count: Int) {
        self.start = start
        room = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count))
    }

    func copy(into other: UnsafeMutableRawBufferPointer, from offset: UInt64) -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: room[Int(offset - start)...].prefix(other.count))
        other.copyMemory(from: bytes)
        return bytes.count
    }
}
