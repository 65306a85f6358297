import CommandTable
import Synchronization

/// The exit code of a command that Ctrl-C can interrupt; nil until the command has one.
final class Outcome: Sendable {
    private let state = Mutex<ExitCode?>(nil)

    var code: ExitCode? { state.withLock { $0 } }

    func set(_ code: ExitCode) { state.withLock { $0 = code } }
}
