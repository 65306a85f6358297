import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle send`: send files and folders to one machine or several.
enum SendCommand {
    static let paths = Argument(repeating: "PATH", .file, help: "a file or folder to send")
    static let also = Option(
        repeating: "also",
        .text.named("PEER"),
        help: "another machine that gets the same files; they are read once for all"
    )
    static let leavesOut = Flag(
        "leave-out",
        help:
            """
            leave out the parts of a folder that can't be sent: pipes, sockets, devices, links that may lead out of \
            it, unusual names
            """
    )
    static let patience = Option(
        "patience",
        .duration,
        default: .seconds(600),
        help: "how long the other machine may be away in the middle of a transfer"
    )

    static let row = Command<CommandAction>(
        "send",
        summary: "send files and folders to another machine",
        discussion: """
            The other machine needs `huddled` running. The command waits out a cut cable and a restart of the other \
            side. It sends no byte twice, also if you run it a second time. Nothing is overwritten: if a name is taken \
            there, the file becomes “name (2)”, and the command says so.
            """,
        arguments: [CallOptions.peer, paths],
        options: [also, leavesOut, patience] + CallOptions.pairing + AskingOptions.all,
        examples: [
            Example("huddle send Deck photo.jpg saves", "a file and a folder"),
            Example("huddle send Deck --also Desk film.mkv", "to two machines at once"),
            Example("huddle send 10.0.0.7:4242 film.mkv --patience 1h", "if the machine may be off for a while"),
        ],
        exitCodes: ExitCode.calling + [.notPermitted, .transferFailed],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        var body = CallBody(given)
        body.patience = given[patience] / .seconds(1)
        body.also = given[also]
        body.leaveOut = given[leavesOut]
        body.paths = given[paths].map(WholePath.of)
        let (request, canAsk) = (Endpoint.sendFiles.request(saying: body), CallOptions.canAsk(given))
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            try await Conversation(with: daemon, report, canAsk: canAsk, isForOnce: given[CallOptions.once]).follow(
                request
            )
        }
        if code == nil { await report.tellInterruption() }
        return code ?? .interrupted
    }
}
