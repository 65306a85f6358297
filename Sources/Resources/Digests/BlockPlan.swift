import Vocabulary

/// Division of a stream into blocks, each with a digest. Both sides compute it from the total.
struct BlockPlan: Hashable {
    /// The digests of a receiver's blocks must fit into one frame.
    static let mostBlocks: UInt64 = 65_000
    static let smallestBlock: UInt64 = 4 << 20
    /// 2^46 bytes: 64 TiB in blocks of 2 GiB.
    static let largestTotal: UInt64 = 1 << 46

    let total: UInt64
    let blockSize: UInt64

    init(total: UInt64) {
        precondition(total <= Self.largestTotal, "the total was not checked")
        self.total = total
        var size = Self.smallestBlock
        while total > size * Self.mostBlocks { size *= 2 }
        blockSize = size
    }

    var blockCount: Int { blockCount(of: total) }

    /// Number of blocks that the first bytes begin.
    func blockCount(of bytes: UInt64) -> Int {
        Int((bytes + blockSize - 1) / blockSize)
    }

    func start(of block: Int) -> UInt64 { UInt64(block) * blockSize }

    func end(of block: Int) -> UInt64 { min(start(of: block) + blockSize, total) }

    func block(at offset: UInt64) -> Int { Int(offset / blockSize) }

    /// The digest of the whole, computed from the digests of the blocks, so that no side reads the data twice.
    func wholeDigest(of blocks: [ContentDigest]) -> ContentDigest {
        precondition(blocks.count == blockCount, "the whole has all of its blocks")
        let state = DigestState()
        state.update(total)
        state.update(blockSize)
        for block in blocks {
            state.update(block.words.high)
            state.update(block.words.low)
        }
        return state.digest
    }
}
