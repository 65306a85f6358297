import Glibc
import LinuxPlatform

/// The paths of Huddle for a user, by the environment of a program.
package struct Places: Sendable {
    private let environment: [String: String]

    package init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// A place, and the variable that names it; nil if none does.
    package struct Place: Hashable, Sendable {
        package let path: String
        package let variable: String?
    }

    /// The state folder, with the key and the ledger of this machine.
    package var state: String { statePlace.path }

    package var statePlace: Place {
        place("STATE_DIRECTORY") ?? place("XDG_STATE_HOME", "/huddle")
            ?? Place(path: "\(home)/.local/state/huddle", variable: nil)
    }

    /// The file of settings.
    package var configuration: String { configurationPlace.path }

    /// The file of settings that the environment names, which must exist.
    package var namedConfiguration: String? { environment["HUDDLE_CONFIG"].flatMap { $0.isEmpty ? nil : whole($0) } }

    package var configurationPlace: Place {
        place("CONFIGURATION_DIRECTORY", "/config.json5") ?? place("XDG_CONFIG_HOME", "/huddle/config.json5")
            ?? Place(path: "\(home)/.config/huddle/config.json5", variable: nil)
    }

    /// The default folder of received files.
    package var inbox: String { inboxPlace.path }

    package var inboxPlace: Place {
        place("XDG_DOWNLOAD_DIR") ?? Place(path: "\(home)/Downloads", variable: nil)
    }

    /// The folder of the socket at which the daemon of that state answers. If the state is not in its usual place,
    /// several daemons may run. Then each has its socket beside its state.
    package func runtime(for state: String) -> String { runtimePlace(for: state).path }

    package func runtimePlace(for state: String) -> Place {
        if let place = place("RUNTIME_DIRECTORY") { return place }
        guard state == self.state, let place = place("XDG_RUNTIME_DIR", "/huddle") else {
            return Place(path: state, variable: nil)
        }
        return place
    }

    /// The socket in that folder.
    package static func socket(in runtime: String) -> String { "\(runtime)/control" }

    /// The path for the user: `~/` in place of the home.
    package func short(_ path: String) -> String {
        path.hasPrefix("\(home)/") && home != "/" ? "~/\(path.dropFirst(home.count + 1))" : path
    }

    /// The absolute path for one that may begin with `~/`.
    package func whole(_ path: String) -> String { path.hasPrefix("~/") ? "\(home)/\(path.dropFirst(2))" : path }

    var home: String { folder("HOME") ?? "/" }

    /// All folders that a variable names, such as `PATH`.
    func folders(_ variable: String) -> [String] {
        (environment[variable] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }

    private func place(_ variable: String, _ below: String = "") -> Place? {
        folder(variable).map { Place(path: $0 + below, variable: variable) }
    }

    private func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
