import Glibc
package import LinuxPlatform
import Synchronization

/// The loops on whose threads streams and files are worked on, away from the control lanes. File calls may block there.
///
/// They are begun when they are first needed, so that a node that moves nothing has none.
final class BulkLoops: Sendable {
    private static let most = 4

    /// A loop, and the memory that all lanes which are worked on there read into.
    struct Bulk {
        let loop: EventLoop
        let room: ReadingRoom
    }

    private struct State {
        var loops: [Bulk] = []
        var next = 0
    }

    private let state = Mutex(State())
    private let count = min(most, max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))

    /// The one whose turn it is. It fails where not even one can be begun.
    func next() throws(SystemError) -> Bulk {
        try state.withLock { state throws(SystemError) in
            if state.loops.count < count {
                do throws(SystemError) {
                    let loop = try EventLoop(ifPossible: "lane \(state.loops.count + 1)")
                    let bulk = Bulk(loop: loop, room: ReadingRoom())
                    state.loops.append(bulk)
                    return bulk
                } catch {
                    // Fewer do as well.
                    guard !state.loops.isEmpty else { throw error }
                }
            }
            state.next = (state.next + 1) % state.loops.count
            return state.loops[state.next]
        }
    }
}

extension Node {
    /// One of the loops on whose threads files are worked on.
    package func fileLoop() throws(SystemError) -> EventLoop { try bulkLoops.next().loop }
}

/// What is read into by one lane of a loop at a time, and empty again before the next one's turn: a lane that waits holds nothing.
///
/// `@unchecked Sendable` because only the thread of its loop touches it.
final class ReadingRoom: @unchecked Sendable {
    private static let byteCount = 256 << 10

    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)

    deinit {
        bytes.deallocate()
    }
}
