import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle state push`: one archive to another machine.
enum StatePushCommand {
    private static let file = Argument("FILE", .file, help: "the save")
    private static let peer = Option("to", .text.named("PEER"), help: "whom it goes to; it has to be known")
    private static let set = Option(
        "set",
        .text.named("SET"),
        help: "the save set there that it goes into, as it is called there; else it goes to the inbox"
    )
    private static let place = Option(
        "as",
        .text.named("PATH"),
        help: "its place in the set, or what it is to be called; else the name of the file"
    )
    private static let wait = Option(
        "wait",
        .duration,
        default: .seconds(10),
        help: "how long to try to reach the peer"
    )

    static let row = Command<CommandAction>(
        "push",
        summary: "give one save to another machine",
        discussion: """
            The save has to be an archive that is sound: it is checked here, and once more over there before anything is stored. In a save \
            set it becomes a new version, which reaches the folder like any other and can be undone by `huddle restore`. The set has to be \
            shared with this machine, and huddled has to run on both. Over there, this machine needs the policy accept as its own \
            (`huddle policy`): where it is a question, nobody is asked it, and this ends with 5. Where the save is not taken, or nothing is \
            heard of what became of it, this ends with 1.
            """,
        arguments: [file],
        options: [peer, set, place, wait] + AskingOptions.all,
        examples: [
            Example("huddle state push castle.save --to Deck", "to its inbox"),
            Example("huddle state push castle.save --to Deck --set castle --as slots/1.save", "into a save set there"),
        ],
        exitCodes: [
            .success, .failure, .usage, .unreachable, .timedOut, .blocked, .lost, .damaged, .notAllowed,
            .tooLarge,
            .unreadable, .noDaemon, .interrupted,
        ]
    ) { given, console, signals in
        guard let peer = given[peer] else {
            throw CommandError(
                ErrorCode(.invalid, "command.peer-missing"),
                "whom it goes to is not said",
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
            ControlQuestion("POST", ["v1", "states"], saying: body),
            given,
            console,
            signals
        )
    }
}
