import CommandTable
import FoundationEssentials
import Household

/// The folder of the daemon's key and ledger, and the path of its socket.
enum StateFolder {
    /// The folder of `--state` (default: that of the XDG base directories).
    static func path(_ given: GivenValues) -> String {
        given[AskingOptions.state].map(places.whole) ?? places.state
    }

    /// The socket path of the daemon with that state folder, unless the daemon's settings name another socket.
    static func socket(_ given: GivenValues) -> String { Places.socket(in: places.runtime(for: path(given))) }

    private static var places: Places { Places(ProcessInfo.processInfo.environment) }
}
