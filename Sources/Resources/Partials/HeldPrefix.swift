public import Vocabulary

/// What a receiver already has of a stream: its first bytes, as digests of their blocks. The last may be of a piece of one.
public struct HeldPrefix: Hashable, Sendable {
    /// How many bytes.
    public let bytes: UInt64
    /// How the receiver cut them into blocks.
    public let blockSize: UInt32
    /// One for each block begun.
    public let digests: [ContentDigest]

    /// Nothing yet.
    public static let nothing = HeldPrefix(bytes: 0, blockSize: UInt32(BlockPlan.smallestBlock), digests: [])

    /// - Parameters:
    ///   - bytes: how many
    ///   - blockSize: the size of all blocks but the last
    ///   - digests: one for each block begun
    public init(bytes: UInt64, blockSize: UInt32, digests: [ContentDigest]) {
        self.bytes = bytes
        self.blockSize = blockSize
        self.digests = digests
    }

    /// Whether it can be a beginning of the stream that the plan is for.
    func fits(_ plan: BlockPlan) -> Bool {
        bytes <= plan.total && UInt64(blockSize) == plan.blockSize && digests.count == plan.blockCount(of: bytes)
    }
}
