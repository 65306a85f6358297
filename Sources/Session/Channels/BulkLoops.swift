import Glibc
import LinuxPlatform
import Synchronization

/// The loops for streams and files, apart from the loop of the links. File calls may block there.
///
/// Each loop starts when it is first needed, so that an idle node has none.
final class BulkLoops: Sendable {
    private static let most = 4

    /// A loop, the memory into which its channels read, and their speed.
    struct Bulk {
        let loop: EventLoop
        let room: ReadingRoom
        let speed: SpeedLimiters
    }

    private struct State {
        var loops: [Bulk] = []
        var next = 0
    }

    let speed: SpeedLimiters
    private let state = Mutex(State())
    private let count = min(most, max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))

    init(at speed: SpeedLimiters) { self.speed = speed }

    /// The loops in turn. Throws if not even one can start.
    func next() throws(SystemError) -> Bulk {
        try state.withLock { state throws(SystemError) in
            if state.loops.count < count {
                do throws(SystemError) {
                    let loop = try EventLoop(ifPossible: "channel \(state.loops.count + 1)")
                    let bulk = Bulk(loop: loop, room: ReadingRoom(), speed: speed)
                    state.loops.append(bulk)
                    return bulk
                } catch {
                    // Fewer loops are enough.
                    guard !state.loops.isEmpty else { throw error }
                }
            }
            state.next = (state.next + 1) % state.loops.count
            return state.loops[state.next]
        }
    }
}

/// The memory into which one channel of a loop reads at a time. It is empty again before the next channel's turn, so
/// that a channel that waits holds no memory.
///
/// `@unchecked Sendable` because only the thread of its loop touches it.
final class ReadingRoom: @unchecked Sendable {
    private static let byteCount = 256 << 10

    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)

    deinit {
        bytes.deallocate()
    }
}
