import Desktop
import Herald
import Household

extension DaemonSettings {
    /// What is called when something happens.
    func hookProgram(from environment: [String: String]) -> HookProgram? {
        hook.map { HookProgram(at: $0, limit: configuration.hookLimit, from: environment, state: state) }
    }

    /// Where those who ask to come in are shown.
    func screen(from environment: [String: String]) -> Herald.Screen {
        configuration.notifies ? .desktop(Desktop(environment)) : .off
    }
}
