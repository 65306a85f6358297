import Desktop
import Notifier
import Household

extension DaemonSettings {
    /// The user's program that the daemon calls after events.
    func hookProgram(from environment: [String: String]) -> HookProgram? {
        hook.map { HookProgram(at: $0, limit: configuration.hookLimit, from: environment, state: state) }
    }

    /// The desktop on which the daemon shows invitations; off if the settings say so.
    func screen(from environment: [String: String]) -> Notifier.Screen {
        configuration.notifies ? .desktop(Desktop(environment)) : .off
    }
}
