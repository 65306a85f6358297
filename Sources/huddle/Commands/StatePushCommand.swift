import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle state push`: send one save to another machine.
enum StatePushCommand {
    private static let file = Argument("FILE", .file, help: "the save")
    private static let peer = Option("to", .text.named("PEER"), help: "the machine that gets it; it is paired")
    private static let set = Option(
        "set",
        .text.named("SET"),
        help: "the game there, by its name there (default: none, the save goes to the inbox)"
    )
    private static let place = Option(
        "as",
        .text.named("PATH"),
        help: "its path in the game's folder, or its name in the inbox (default: the name of the file)"
    )
    private static let wait = Option(
        "wait",
        .duration,
        default: .seconds(10),
        help: "how long to try to reach the machine"
    )

    static let row = Command<CommandAction>(
        "push",
        summary: "send one save to another machine",
        discussion: """
            The save is checked on both machines before it is stored. In a game it becomes a new version, which \
            reaches the folder like any other, and which `huddle restore` can undo. The game is shared with this \
            machine, `huddled` runs on both, and the other machine accepts this one (`huddle policy`). If its policy \
            is ask, no user is asked, and the command ends with 5. If the save is refused, or no answer comes, it ends \
            with 1.
            """,
        arguments: [file],
        options: [peer, set, place, wait] + AskingOptions.all,
        examples: [
            Example("huddle state push castle.save --to Deck", "to the inbox"),
            Example("huddle state push castle.save --to Deck --set castle --as slots/1.save", "to a game"),
        ],
        exitCodes: [
            .success, .failure, .usage, .unreachable, .timedOut, .blocked, .lost, .damaged, .notAllowed,
            .tooLarge, .unreadable, .noDaemon, .interrupted,
        ]
    ) { given, console, signals in
        guard let peer = given[peer] else {
            throw CommandError(
                ErrorCode(.invalid, "command.peer-missing"),
                "no machine is named",
                nextStep: "add --to and the name of a machine that `huddle peers` lists"
            )
        }
        var body = GameBody()
        body.fields.set("path", WholePath.of(given[file]))
        body.fields.set("peer", peer)
        body.fields.set("set", given[set])
        body.fields.set("as", given[place])
        body.fields.set("wait", seconds: given[wait] / .seconds(1))
        return try await Daemon.show(
            Endpoint.sendSave.request(saying: body),
            given,
            console,
            signals
        )
    }
}
