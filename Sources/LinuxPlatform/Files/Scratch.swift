/// A buffer to read into, freed with its owner.
public final class Scratch {
    /// The whole buffer.
    public let room: UnsafeMutableRawBufferPointer

    /// - Parameter byteCount: the size
    public init(byteCount: Int = 256 << 10) {
        room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    }

    deinit {
        room.deallocate()
    }

    /// The first `needed` bytes, at most the whole buffer.
    public func prefix(_ needed: UInt64) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: room.prefix(Int(min(UInt64(room.count), needed))))
    }
}
