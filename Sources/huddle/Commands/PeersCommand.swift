import CommandTable
import Control
import Household
import LinuxPlatform

/// `huddle peers`: list the machines that are paired or nearby.
enum PeersCommand {
    static let row = Command<CommandAction>(
        "peers",
        summary: "list the machines that are paired or nearby",
        discussion: """
            A paired machine has proven its key with a code once. The name of any other is only what it says. “online” \
            means that the daemon sees it on the network now.
            """,
        options: AskingOptions.all,
        examples: [
            Example("huddle peers", "names, ids, policies and times of the last contact"),
            Example("huddle peers --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let code = try await Daemon.show(
            Endpoint.peers.request(),
            given,
            console,
            signals,
            head: { PeerRows.head(above: $0) },
            ifNothing: .remark(
                "no machine is paired or nearby; does huddled run on the other machine? `huddle doctor` finds out why"
            )
        )
        guard code == .success else { return code }
        for devices in [Endpoint.retroArchDevices, .syncthingDevices] {
            let code = try await Daemon.show(devices.request(), given, console, signals)
            guard code == .success else { return code }
        }
        return .success
    }
}
