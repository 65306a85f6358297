/// Memory to read into, given back with its owner.
public final class Scratch {
    /// All of it.
    public let room: UnsafeMutableRawBufferPointer

    /// - Parameter byteCount: how much
    public init(byteCount: Int = 256 << 10) {
        room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    }

    deinit {
        room.deallocate()
    }

    /// As much of it as is needed, up to all.
    public func prefix(_ needed: UInt64) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: room.prefix(Int(min(UInt64(room.count), needed))))
    }
}
