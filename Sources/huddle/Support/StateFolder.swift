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

    /// Where files from others go, made where there is none.
    ///
    /// - Parameter typed: the folder that was named; nil for the usual one
    static func inbox(_ typed: String?, _ given: GivenValues) async throws -> InboxFolder {
        let path = WholePath.of(typed ?? places.inbox)
        let reserved = reserved(given)
        let folder = try await runBlocking("inbox") { try InboxFolder(path, besides: reserved) }
        if let refusal = folder.refusal { throw refusal }
        return folder
    }

    /// What the inbox of a command may not be, nor have in it.
    static func reserved(_ given: GivenValues) -> [ReservedPlace] {
        let own = [Self.path(given), places.state, places.configuration, socket(given)]
        return own.map { ReservedPlace($0, .own, .itself) } + places.reserved()
    }

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
