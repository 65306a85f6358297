import LinuxPlatform
import SaveRules
import Synchronization

/// The changes of a folder that the watch has heard, until a scan takes them.
final class HeardChanges: Sendable {
    /// The changes since they were taken last.
    struct Heard {
        var changes = ChangedPaths.anything
        /// The folder of which the watch hears every change from now on; nil if it may miss some.
        var whole: FileIdentity?
    }

    private struct State {
        var heard = Heard()
        /// Makes the watch note the changes up to now; answers false if it can't. Nil without a watch.
        var catchUp: (@Sendable () -> Bool)?
    }

    /// Time for which a scan waits for the watch before it looks at everything.
    private static let patience = Duration.milliseconds(500)

    private let state = Mutex(State())

    /// A watch begins. It hears nothing yet.
    ///
    /// - Parameters:
    ///   - loop: the loop of the watch
    ///   - catchUp: makes the watch note the changes up to now, on that loop; answers false if it can't
    func begin(on loop: EventLoop, catchingUp catchUp: @escaping @Sendable () -> Bool) {
        begin {
            let answer = Monitor(Bool?.none)
            loop.perform { @Sendable in
                let isWhole = catchUp()
                answer.update { $0 = isWhole }
            }
            return answer.wait(within: Self.patience) { $0 } ?? false
        }
    }

    func begin(catchingUp catchUp: @escaping @Sendable () -> Bool) {
        state.withLock { $0 = State(catchUp: catchUp) }
    }

    func end() { state.withLock { $0 = State() } }

    /// Changes may go unheard from now on.
    func deafen() { state.withLock { $0.heard = Heard() } }

    /// Every change in this folder is heard from now on.
    func listen(to root: FileIdentity) { state.withLock { $0.heard.whole = root } }

    /// A file or a link at a path may have changed; nil for anything else.
    func note(_ path: SavePath?) {
        state.withLock { $0.heard.changes.formUnion(path.map { .only([$0]) } ?? .anything) }
    }

    /// Takes what was heard up to now. May wait for the watch.
    func take() -> Heard {
        guard let catchUp = state.withLock({ $0.catchUp }), catchUp() else { return Heard() }
        return state.withLock { state in
            defer { if state.heard.whole != nil { state.heard.changes = .nothing } }
            return state.heard
        }
    }
}
