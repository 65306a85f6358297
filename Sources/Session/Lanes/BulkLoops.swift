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

    /// The one whose turn it is.
    func next() -> EventLoop {
        state.withLock { state in
            if state.loops.count < count {
                state.loops.append(EventLoop(named: "lane \(state.loops.count + 1)"))
                return state.loops[state.loops.count - 1]
            }
            state.next = (state.next + 1) % state.loops.count
            return state.loops[state.next]
        }
    }
}
