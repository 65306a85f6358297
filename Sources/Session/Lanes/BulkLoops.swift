import Glibc
import LinuxPlatform
import Synchronization

/// The loops on whose threads streams and files are worked on, away from the control lanes. File calls may block there.
///
/// They are begun when they are first needed, so that a node that moves nothing has none.
final class BulkLoops: Sendable {
    private static let most = 4

    private struct State {
        var loops: [EventLoop] = []
        var next = 0
    }

    private let state = Mutex(State())
    private let count = min(most, max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))

    /// The one whose turn it is. It fails where not even one can be begun.
    func next() throws(SystemError) -> EventLoop {
        try state.withLock { state throws(SystemError) in
            if state.loops.count < count {
                do throws(SystemError) {
                    let loop = try EventLoop(ifPossible: "lane \(state.loops.count + 1)")
                    state.loops.append(loop)
                    return loop
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
