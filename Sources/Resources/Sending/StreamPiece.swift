/// A piece of a stream that several readers copy from. Unchecked because its memory is filled only while nobody else has the
/// piece.
final class StreamPiece: @unchecked Sendable {
    private(set) var start: UInt64
    private(set) var room: UnsafeMutableRawBufferPointer
    private let memory: UnsafeMutableRawBufferPointer

    /// - Parameter byteCount: the most that it is to hold
    init(byteCount: Int) {
        start = 0
        memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        room = memory
    }

    deinit {
        memory.deallocate()
    }

    /// Makes it the piece that begins elsewhere, for who is alone with it to fill.
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
