import LinuxPlatform

/// One large file on its way through reading, cutting, digesting and handing over.
///
/// Two threads share the work: the caller's, which alone hands over, and one more. Whoever has nothing better to do reads and cuts the next
/// block or digests the oldest that is not, so that neither waits while there is work, however long handing over takes.
final class CutRun: Sendable {
    /// What is to be done to a block next.
    private enum Stage {
        case free
        case reading
        case cut
        case digesting
        case ready
    }

    private enum Job {
        case read(Int)
        case digest(Int)
        case handOver(Int)
        case end
    }

    private struct State {
        var stages: [Stage]
        /// The block that is read next, and the one that is handed over next; both count on and on.
        var toRead = 0
        var toHandOver = 0
        var offset: UInt64 = 0
        var isReading = false
        /// No more is to be read: the file has ended, reading failed, or the caller has had enough.
        var isAtEnd = false
        var isAbandoned = false
        var failure: SystemError?
        var isHelperGone = false
    }

    private static let blockCount = 4
    /// How much is read at once beside what may be left of the block before.
    private static let smallestStride = 1 << 20

    private let file: CInt
    private let start: UInt64
    private let size: UInt64
    private let cutter: PieceCutter
    private let blocks: [CutBlock]
    private let state: Monitor<State>

    /// - Parameter start: where a piece begins; all before it is left alone
    init(of file: CInt, from start: UInt64 = 0, size: UInt64, cutter: PieceCutter) {
        (self.file, self.start, self.size, self.cutter) = (file, start, size, cutter)
        let capacity = max(Self.smallestStride, cutter.maximum) + cutter.maximum
        blocks = (0..<Self.blockCount).map { _ in CutBlock(capacity: capacity) }
        state = Monitor(State(stages: Array(repeating: .free, count: Self.blockCount), offset: start))
    }

    /// How many bytes were read; to be asked once nobody reads any more.
    var byteCount: UInt64 { state.update { $0.offset } - start }

    /// Hands over all pieces and returns when nobody touches the file any more.
    func deliver(to body: (DigestedBytes) throws -> Void) throws -> UInt64 {
        do throws(SystemError) {
            try startThread(named: "cutting") { @Sendable in
                self.help()
            }
        } catch {
            // Then it is done alone.
            state.update { $0.isHelperGone = true }
        }
        defer {
            state.update { $0.isAbandoned = true }
            state.wait { $0.isHelperGone ? () : nil }
        }
        var stream = SHA256Stream()
        while true {
            switch nextJob(handingOver: true) {
            case .handOver(let index):
                let block = blocks[index]
                try block.forEachPiece { try body(DigestedBytes($1, digest: block.digests[$0])) }
                state.update { state in
                    state.stages[index] = .free
                    state.toHandOver += 1
                }
            case .read(let index): read(index)
            case .digest(let index): digest(index, with: &stream)
            case .end:
                let (failure, offset) = state.update { ($0.failure, $0.offset) }
                if let failure { throw failure }
                return offset
            }
        }
    }

    private func help() {
        var stream = SHA256Stream()
        loop: while true {
            switch nextJob(handingOver: false) {
            case .read(let index): read(index)
            case .digest(let index): digest(index, with: &stream)
            case .handOver, .end: break loop
            }
        }
        state.update { $0.isHelperGone = true }
    }

    private func nextJob(handingOver: Bool) -> Job {
        state.wait { state in
            if state.isAbandoned { return .end }
            let oldest = state.toHandOver..<state.toRead
            if handingOver, !oldest.isEmpty, state.stages[state.toHandOver % Self.blockCount] == .ready {
                return .handOver(state.toHandOver % Self.blockCount)
            }
            let next = state.toRead % Self.blockCount
            let canRead = !state.isReading && !state.isAtEnd && oldest.count < Self.blockCount
            // Who helps reads first, so that there is always something to digest for both.
            if canRead, !handingOver { return Self.claimReading(next, &state) }
            if let index = oldest.lazy.map({ $0 % Self.blockCount }).first(where: { state.stages[$0] == .cut }) {
                state.stages[index] = .digesting
                return .digest(index)
            }
            if canRead { return Self.claimReading(next, &state) }
            let isDone = state.isAtEnd && !state.isReading && (oldest.isEmpty || !handingOver)
            return isDone ? .end : nil
        }
    }

    private static func claimReading(_ index: Int, _ state: inout State) -> Job {
        state.stages[index] = .reading
        state.isReading = true
        return .read(index)
    }

    /// Only one thread reads at a time, so that each block finds the one before it cut.
    private func read(_ index: Int) {
        let (before, offset) = state.update { ($0.toRead, $0.offset) }
        let block = blocks[index]
        block.count = 0
        if before > 0 {
            let rest = blocks[(before - 1) % Self.blockCount].rest
            block.room.copyMemory(from: rest)
            block.count = rest.count
        }
        let wanted = Int(min(UInt64(block.room.count - block.count), size - offset))
        var failure: SystemError?
        var count = 0
        do throws(SystemError) {
            let room = UnsafeMutableRawBufferPointer(rebasing: block.room[block.count..<(block.count + wanted)])
            count = try OwnedDescriptor.read(from: file, into: room, at: offset)
        } catch {
            failure = error
        }
        block.count += count
        let isLast = count < wanted || offset + UInt64(count) == size || failure != nil
        block.cut(by: cutter, isLast: isLast)
        state.update { [failure, count] state in
            state.isReading = false
            state.offset += UInt64(count)
            state.isAtEnd = isLast
            state.failure = failure
            state.stages[index] = .cut
            state.toRead += 1
        }
    }

    private func digest(_ index: Int, with stream: inout SHA256Stream) {
        blocks[index].digestPieces(with: &stream)
        state.update { $0.stages[index] = .ready }
    }
}
