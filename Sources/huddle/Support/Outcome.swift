import CommandTable
import Synchronization

/// What a command that can be interrupted has answered so far.
final class Outcome: Sendable {
    private let state = Mutex<ExitCode?>(nil)

    var code: ExitCode? { state.withLock { $0 } }

    func set(_ code: ExitCode) { state.withLock { $0 = code } }
}
