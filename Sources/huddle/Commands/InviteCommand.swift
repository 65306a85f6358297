import CommandTable
import Control
import Household
import LinuxPlatform
import SessionRules
import Vocabulary

/// `huddle invite`: pair with a machine that the user names.
enum InviteCommand {
    static let patience = Option(
        "patience",
        .duration,
        default: .seconds(120),
        help: "how long the other user may take to answer once the invitation is there, at most 10m"
    )
    static let sessionName = Option("session", .label, default: .chat, help: "the name of the session")
    static let stay = Flag("stay", help: "stay connected and print messages until Ctrl-C")

    static let row = Command<CommandAction>(
        "invite",
        summary: "pair with a machine that you name",
        discussion: """
            `huddle pair` is easier if you can type on both machines. The other machine needs `huddled` running. At \
            the first meeting this machine shows a code of six digits, and you type it there. Only a machine with the \
            code can pair: one in between has a single guess, and you see it fail. From then on both know the other's \
            key and connect without a question; `huddle policy` changes that.
            """,
        arguments: [CallOptions.peer],
        options: [patience, sessionName, stay] + CallOptions.pairing + AskingOptions.all,
        examples: [
            Example("huddle invite Deck", "a machine that `huddle peers` lists"),
            Example("huddle invite 10.0.0.7:4242", "a machine behind a router, by its address"),
        ],
        exitCodes: ExitCode.calling,
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        // The other machine closes its question after this time, even if --patience is longer.
        guard given[patience] <= InvitationPatience.longestAnswer else {
            throw CommandError(
                ErrorCode(.invalid, "command.too-patient"),
                "an invitation waits for at most 10m",
                nextStep: "choose a shorter --patience, and invite again later"
            )
        }
        var body = CallBody(given)
        body.patience = given[patience] / .seconds(1)
        body.session = given[sessionName].text
        body.stay = given[stay]
        let (request, canAsk) = (Endpoint.pair.request(saying: body), CallOptions.canAsk(given))
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            try await Conversation(with: daemon, report, canAsk: canAsk, isForOnce: given[CallOptions.once]).follow(
                request
            )
        }
        return code ?? (given[stay] ? .success : .interrupted)
    }
}
