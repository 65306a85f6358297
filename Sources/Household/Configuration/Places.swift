import Glibc
import LinuxPlatform

/// Where things of huddle are for a user, by the environment of a program.
package struct Places: Sendable {
    private let environment: [String: String]

    package init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// Where this machine's key and ledger are kept.
    package var state: String {
        if let folder = folder("STATE_DIRECTORY") { return folder }
        if let base = folder("XDG_STATE_HOME") { return "\(base)/huddle" }
        return "\(home)/.local/state/huddle"
    }

    /// What the daemon is to be like.
    package var configuration: String {
        if let folder = folder("CONFIGURATION_DIRECTORY") { return "\(folder)/config.json5" }
        return "\(folder("XDG_CONFIG_HOME") ?? "\(home)/.config")/huddle/config.json5"
    }

    /// Where files from others go if nothing else is said.
    package var inbox: String { folder("XDG_DOWNLOAD_DIR") ?? "\(home)/Downloads" }

    /// The folder of the socket where the daemon of that state answers. Where the state is not in its usual place, there may be
    /// several daemons, and each has its socket beside its state.
    package func runtime(for state: String) -> String {
        if let folder = folder("RUNTIME_DIRECTORY") { return folder }
        guard state == self.state, let base = folder("XDG_RUNTIME_DIR") else { return state }
        return "\(base)/huddle"
    }

    /// The socket in that folder.
    package static func socket(in runtime: String) -> String { "\(runtime)/control" }

    /// A path with `~/` at its beginning, made whole.
    package func whole(_ path: String) -> String { path.hasPrefix("~/") ? "\(home)/\(path.dropFirst(2))" : path }

    private var home: String { folder("HOME") ?? "/" }

    private func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
