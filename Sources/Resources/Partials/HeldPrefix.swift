public import Vocabulary

/// The first bytes of a stream that a receiver has, as digests of their blocks. The last block may be incomplete.
public struct HeldPrefix: Hashable, Sendable {
    /// Number of bytes.
    public let bytes: UInt64
    /// The receiver's block size in bytes.
    public let blockSize: UInt32
    /// One for each complete or incomplete block.
    public let digests: [ContentDigest]

    /// No bytes.
    public static let nothing = HeldPrefix(bytes: 0, blockSize: UInt32(BlockPlan.smallestBlock), digests: [])

    /// - Parameters:
    ///   - bytes: number of bytes
    ///   - blockSize: size of all blocks except the last, in bytes
    ///   - digests: one for each complete or incomplete block
    public init(bytes: UInt64, blockSize: UInt32, digests: [ContentDigest]) {
        self.bytes = bytes
        self.blockSize = blockSize
        self.digests = digests
    }

    /// True if it can be a prefix of the stream with this plan.
    func fits(_ plan: BlockPlan) -> Bool {
        bytes <= plan.total && UInt64(blockSize) == plan.blockSize && digests.count == plan.blockCount(of: bytes)
    }
}
