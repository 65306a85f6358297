/// Memory that stays where it is for a whole run.
///
/// `@unchecked Sendable` because one task at a time uses it.
public final class Room: @unchecked Sendable {
    /// All of it, filled with bytes of which no two neighbours are equal.
    public let bytes: UnsafeMutableRawBufferPointer

    /// So many bytes.
    public init(_ count: Int) {
        bytes = .allocate(byteCount: count, alignment: 4096)
        for place in 0..<count { bytes[place] = UInt8(truncatingIfNeeded: place % 251) }
    }

    deinit {
        bytes.deallocate()
    }
}
