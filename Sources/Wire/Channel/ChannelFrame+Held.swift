public import Vocabulary

extension ChannelFrame {
    /// The part of a resource that the receiver holds already, as digests block by block from the start.
    public struct Held: Hashable, Sendable {
        /// The bytes that the receiver holds.
        public let byteCount: UInt64
        /// The bytes of each block; the last block may have fewer.
        public let blockSize: UInt32
        /// The digests of the blocks, at most 65,000.
        public let digests: [ContentDigest]

        /// - Precondition: there are at most 65,000 digests
        public init(byteCount: UInt64, blockSize: UInt32, digests: [ContentDigest]) {
            precondition(digests.count <= WireLimits.digests, "the block size is chosen so that the digests fit")
            self.byteCount = byteCount
            self.blockSize = blockSize
            self.digests = digests
        }
    }
}

extension ChannelFrame.Held: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        byteCount = try reader.integer()
        blockSize = try reader.integer()
        let count = Int(try reader.integer(UInt32.self))
        guard count <= WireLimits.digests else { throw .badValue("digests") }
        guard count * ContentDigest.byteCount <= reader.remaining else { throw .cutShort }
        var digests: [ContentDigest] = []
        digests.reserveCapacity(count)
        for _ in 0..<count { digests.append(try reader.value()) }
        self.digests = digests
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: byteCount)
        bytes.append(integer: blockSize)
        bytes.append(integer: UInt32(digests.count))
        bytes.reserveCapacity(bytes.count + digests.count * ContentDigest.byteCount)
        for digest in digests { digest.write(to: &bytes) }
    }
}
