import CLZ4

/// The form of compressed messages: the size as four bytes, then one LZ4 block.
package enum LZ4Block {
    private static let sizeCount = 4
    /// The greatest ratio of LZ4: one byte of its input can produce 255 bytes.
    private static let greatestRatio = 255

    /// Decompresses a message. An announced size beyond the limit, or beyond what the bytes can hold, takes no memory.
    package static func decompressed(
        _ bytes: ArraySlice<UInt8>,
        limit: Int = BridgeLimits.message
    ) throws(ProtocolViolation) -> [UInt8] {
        guard bytes.count >= sizeCount else { throw malformed }
        let size = bytes.prefix(sizeCount).reduce(0) { $0 << 8 | Int($1) }
        let packed = bytes.dropFirst(sizeCount)
        guard size <= limit else { throw ProtocolViolation("sent a message that is too long when decompressed") }
        guard size <= (packed.count + 1) * greatestRatio else { throw malformed }
        var written: CInt = -1
        // because LZ4 fills the bytes, and only as many count as it says it filled
        let plain = [UInt8](unsafeUninitializedCapacity: max(size, 1)) { room, count in
            packed.withUnsafeBytes { packed in
                written = LZ4_decompress_safe(
                    packed.baseAddress?.assumingMemoryBound(to: CChar.self),
                    UnsafeMutableRawPointer(room.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    CInt(packed.count),
                    CInt(size)
                )
            }
            count = max(0, Int(written))
        }
        guard Int(written) == size else { throw malformed }
        return plain
    }

    /// Compresses a message; nil unless that saves a thirty-second of it. Syncthing uses the same limit.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= BridgeLimits.message else { return nil }
        let limit = bytes.count - max(bytes.count / 32, 1) - sizeCount
        guard limit > 0 else { return nil }
        // because LZ4 fills the bytes behind the size, and only as many count as it says it filled
        let packed = [UInt8](unsafeUninitializedCapacity: sizeCount + limit) { room, count in
            for place in 0..<sizeCount {
                room[place] = UInt8(truncatingIfNeeded: bytes.count >> (8 * (sizeCount - 1 - place)))
            }
            let written = bytes.withUnsafeBytes { bytes in
                LZ4_compress_default(
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    UnsafeMutableRawPointer(room.baseAddress)?.assumingMemoryBound(to: CChar.self)
                        .advanced(by: sizeCount),
                    CInt(bytes.count),
                    CInt(limit)
                )
            }
            count = written > 0 ? sizeCount + Int(written) : 0
        }
        return packed.isEmpty ? nil : packed
    }

    private static let malformed = ProtocolViolation("sent a message that can't be decompressed")
}
