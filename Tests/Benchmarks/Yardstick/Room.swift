/// Memory at a fixed address for a whole run.
///
/// `@unchecked Sendable` because one task at a time uses it.
public final class Room: @unchecked Sendable {
    /// The memory, filled with bytes whose neighbours differ.
    public let bytes: UnsafeMutableRawBufferPointer

    /// Allocates a number of bytes.
    public init(_ count: Int) {
        bytes = .allocate(byteCount: count, alignment: 4096)
        for place in 0..<count { bytes[place] = UInt8(truncatingIfNeeded: place % 251) }
    }

    deinit {
        bytes.deallocate()
    }
}
