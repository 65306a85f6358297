import CommandTable
import Control
import Household
import LinuxPlatform

/// `huddle peers`: who is known and who is there.
enum PeersCommand {
    static let row = Command<CommandAction>(
        "peers",
        summary: "list the peers that are known, and those that are there now",
        discussion: """
            Who is known has been let in once, by a code; everybody else is what it says of itself. “there” means that \
            huddled sees it on the network.
            """,
        options: AskingOptions.all,
        examples: [
            Example("huddle peers", "names, ids, policies, and when they were last seen"),
            Example("huddle peers --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        try await Daemon.show(
            ControlQuestion("GET", ["v1", "peers"]),
            given,
            console,
            signals,
            head: { PeerRows.head(above: $0) },
            ifNothing: .remark(
                "nobody is known and nobody was seen; does huddle run on the other machine? `huddle doctor` looks"
            )
        )
    }
}
