import Vocabulary

/// The known digests of a stream's blocks, computed from bytes in any order.
struct BlockDigests {
    private final class Running {
        var position: UInt64
        let state = DigestState()

        init(position: UInt64) {
            self.position = position
        }
    }

    /// Readers far apart have one block in progress each; more than this only if some were abandoned.
    private static let mostRunning = 64

    private let plan: BlockPlan
    private var known: [ContentDigest?]
    private var running: [Int: Running] = [:]

    init(_ plan: BlockPlan) {
        self.plan = plan
        known = Array(repeating: nil, count: plan.blockCount)
    }

    subscript(block: Int) -> ContentDigest? { known[block] }

    /// Uses those of the bytes that continue a block in progress.
    mutating func note(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
        var (rest, start) = (bytes, offset)
        while !rest.isEmpty {
            let block = plan.block(at: start)
            let count = Int(min(UInt64(rest.count), plan.end(of: block) - start))
            if known[block] == nil { note(UnsafeRawBufferPointer(rebasing: rest.prefix(count)), at: start, of: block) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            start += UInt64(count)
        }
    }

    private mutating func note(_ bytes: UnsafeRawBufferPointer, at start: UInt64, of block: Int) {
        let end = start + UInt64(bytes.count)
        guard let state = state(of: block, at: start), (start..<end).contains(state.position) else { return }
        state.state.update(UnsafeRawBufferPointer(rebasing: bytes[Int(state.position - start)...]))
        state.position = end
        guard end == plan.end(of: block) else { return }
        known[block] = state.state.digest
        running[block] = nil
    }

    private mutating func state(of block: Int, at start: UInt64) -> Running? {
        if let state = running[block] { return state }
        guard start == plan.start(of: block) else { return nil }
        // A dropped block is read again when it is needed.
        if running.count == Self.mostRunning, let first = running.keys.min() { running[first] = nil }
        let state = Running(position: start)
        running[block] = state
        return state
    }
}
