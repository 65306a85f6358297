import CommandTable
import FoundationEssentials
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// Where this machine's key and ledger are kept.
enum StateFolder {
    /// What was asked for, else the place that desktops have for such things.
    static func path(_ given: GivenValues) -> String {
        given[NodeOptions.state].map(places.whole) ?? places.state
    }

    /// Where files from others go if nothing else is said.
    static var inbox: String { places.inbox }

    /// Where the daemon of that state answers, if one has the place of its socket from the environment alone.
    static func socket(_ given: GivenValues) -> String { Places.socket(in: places.runtime(for: path(given))) }

    private static var places: Places { Places(ProcessInfo.processInfo.environment) }

    /// Opens what is remembered, without being anybody on the network.
    static func ledger(_ given: GivenValues) async throws -> Ledger {
        try await Ledger.open(at: path(given))
    }

    /// The name that others see.
    static func ownName(_ given: GivenValues, _ ledger: Ledger) async throws -> InstanceName {
        if let name = given[NodeOptions.name] { return name }
        if let name = try await ledger.displayName() { return name }
        return MachineName.own
    }
}
