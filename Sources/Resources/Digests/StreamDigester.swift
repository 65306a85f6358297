import Vocabulary

/// Digests a stream block by block from its first byte.
struct StreamDigester {
    let plan: BlockPlan
    private(set) var position: UInt64 = 0
    private var finished: [ContentDigest] = []
    private let state = DigestState()

    init(_ plan: BlockPlan) {
        self.plan = plan
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        precondition(UInt64(bytes.count) <= plan.total - position, "more than the total was not refused")
        var rest = bytes
        while !rest.isEmpty {
            let room = plan.end(of: finished.count) - position
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(min(room, UInt64(rest.count)))))
            state.update(piece)
            position += UInt64(piece.count)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            if position == plan.end(of: finished.count) {
                finished.append(state.digest)
                state.reset()
            }
        }
    }

    /// The digests of the bytes so far.
    var prefix: HeldPrefix {
        let isMidway = plan.blockCount(of: position) > finished.count
        return HeldPrefix(
            bytes: position,
            blockSize: UInt32(plan.blockSize),
            digests: finished + (isMidway ? [state.digest] : [])
        )
    }

    /// True if the stream can be resumed at the offset: at its position, or at the start of an earlier block.
    func canContinue(at offset: UInt64) -> Bool {
        offset == position || (offset < position && offset.isMultiple(of: plan.blockSize))
    }

    /// Discards the bytes after the offset, at which ``canContinue(at:)`` is true.
    mutating func rewind(to offset: UInt64) {
        precondition(canContinue(at: offset), "the offset was not checked")
        guard offset != position else { return }
        finished.removeSubrange(plan.block(at: offset)...)
        state.reset()
        position = offset
    }

    /// The digest of the whole; nil before the end.
    var whole: ContentDigest? {
        position == plan.total ? plan.wholeDigest(of: finished) : nil
    }
}
