/// A byte queue that appends at the end and removes at the front, without a copy for each removal.
///
/// `[UInt8]` would initialize its memory or copy byte by byte on the way from one pointer to another, which shows at a
/// gigabyte a second.
struct GrowingBuffer: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start = 0
    private var end = 0

    deinit {
        memory.deallocate()
    }

    var count: Int { end - start }

    /// The bytes in the queue, valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if memory.count - end < more.count { makeRoom(for: more.count) }
        UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: more)
        end += more.count
    }

    mutating func removeFirst(_ count: Int) {
        start += count
        if start == end { removeAll() }
    }

    mutating func removeAll() {
        (start, end) = (0, 0)
    }

    mutating func releaseIfEmpty() {
        guard count == 0, memory.count > 0 else { return }
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// Makes room for a total of `size` bytes, so that an append up to that size moves nothing.
    mutating func reserve(_ size: Int) {
        if memory.count - start < size { makeRoom(for: max(size - count, 0)) }
    }

    private mutating func makeRoom(for more: Int) {
        let size = max(count + more, memory.count)
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        larger.copyMemory(from: bytes)
        (start, end) = (0, count)
        memory.deallocate()
        memory = larger
    }
}
