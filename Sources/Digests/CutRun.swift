import LinuxPlatform

/// A large file on its way through reading, cutting, digesting and delivery.
///
/// Two threads share the work: the caller's, which alone delivers, and a helper. A thread without other work
/// reads and cuts the next block or digests the oldest block that needs it. So neither waits while there is
/// work, however long delivery takes.
final class CutRun: Sendable {
    /// The next step for a block.
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
        /// The next block to read and the next to deliver. Both numbers only grow.
        var toRead = 0
        var toHandOver = 0
        var offset: UInt64 = 0
        var isReading = false
        /// True if nothing is left to read: the file has ended, reading has failed, or the caller has
        /// stopped.
        var isAtEnd = false
        var isAbandoned = false
        var failure: SystemError?
        var isHelperGone = false
    }

    private static let blockCount = 4
    /// The number of bytes to read at once, besides the rest of the block before.
    private static let smallestStride = 1 << 20

    private let file: CInt
    private let start: UInt64
    private let size: UInt64
    private let cutter: PieceCutter
    private let blocks: [CutBlock]
    private let state: Monitor<State>

    /// - Parameter start: the beginning of a piece; the bytes before it are not read
    init(of file: CInt, from start: UInt64 = 0, size: UInt64, cutter: PieceCutter) {
        (self.file, self.start, self.size, self.cutter) = (file, start, size, cutter)
        let capacity = max(Self.smallestStride, cutter.maximum) + cutter.maximum
        blocks = (0..<Self.blockCount).map { _ in CutBlock(capacity: capacity) }
        state = Monitor(State(stages: Array(repeating: .free, count: Self.blockCount), offset: start))
    }

    /// The number of bytes read; valid once no thread reads.
    var byteCount: UInt64 { state.update { $0.offset } - start }

    /// Delivers all pieces. It returns only when no thread uses the file.
    func deliver(to body: (DigestedBytes) throws -> Void) throws -> UInt64 {
        do throws(SystemError) {
            try startThread(named: "cutting") { @Sendable in
                self.help()
            }
        } catch {
            // Without a helper this thread does all the work.
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
            // The helper reads first, so that both threads always have something to digest.
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

    /// Reads and cuts a block. Only one thread reads at a time, so the block before is cut already.
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
