import CommandTable
import Control
import Household
import LinuxPlatform
import Session
import Vocabulary

/// `huddle peers`: who is known and who is there.
enum PeersCommand {
    static let limit = Option(
        "for",
        .duration,
        default: .seconds(2),
        help: "how long to look around; the daemon has done so already"
    )

    static let row = Command<CommandAction>(
        "peers",
        summary: "list the peers that are known, and those that are there now",
        discussion: """
            Who is known has been let in once, by a code; everybody else is what it says of itself. “there” means seen on \
            the network within the time that was looked around.
            """,
        options: [limit] + NodeOptions.calling,
        examples: [
            Example("huddle peers", "names, ids, policies, and when they were last seen"),
            Example("huddle peers --for 5s --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let isForPeople = !given[LookingOptions.json]
        let code = try await Counterpart.run(
            given,
            console,
            signals,
            preparing: {
                if !given[NodeOptions.noBrowse] { try await EventLoop.shared.sleep(for: given[limit]) }
            }
        ) { asked in
            let lines = try await asked.news(ControlQuestion("GET", ["v1", "peers"]))
            var isFirst = true
            while let news = try await lines.next() {
                if isFirst, isForPeople { try await console.print(PeerRows.head(above: news)) }
                isFirst = false
                try await report.tell(news)
            }
            if isFirst, isForPeople {
                await report.complain(
                    "nobody is known and nobody was seen; does huddle run on the other machine? `huddle doctor` looks"
                )
            }
            return .success
        }
        return code ?? .interrupted
    }
}
