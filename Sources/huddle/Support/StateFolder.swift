import CommandTable
import FoundationEssentials
import Household

/// Where the daemon's key and ledger are kept, and where it answers.
enum StateFolder {
    /// What was asked for, else the place that desktops have for such things.
    static func path(_ given: GivenValues) -> String {
        given[AskingOptions.state].map(places.whole) ?? places.state
    }

    /// Where the daemon of that state answers, if one has the place of its socket from the environment alone.
    static func socket(_ given: GivenValues) -> String { Places.socket(in: places.runtime(for: path(given))) }

    private static var places: Places { Places(ProcessInfo.processInfo.environment) }
}
