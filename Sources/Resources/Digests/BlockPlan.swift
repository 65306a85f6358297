import Vocabulary

/// How a stream is cut into blocks, each with a digest of its own: what both sides compute alike from the total.
struct BlockPlan: Hashable {
    /// The receiver's digests of what it holds have to fit one frame.
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

    /// How many blocks so many bytes begin.
    func blockCount(of bytes: UInt64) -> Int {
        Int((bytes + blockSize - 1) / blockSize)
    }

    func start(of block: Int) -> UInt64 { UInt64(block) * blockSize }

    func end(of block: Int) -> UInt64 { min(start(of: block) + blockSize, total) }

    func block(at offset: UInt64) -> Int { Int(offset / blockSize) }

    /// The digest of the whole, made of the blocks' own, so that nobody has to read anything twice for it.
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
