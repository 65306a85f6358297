import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle conflicts` and `huddle resolve`: what was changed on two machines.
enum ConflictsCommand {
    private static let take = Option(
        "take",
        .text.named("SIDE"),
        help: "the machine whose save counts, merge (by the rules), or a version such as @12"
    )
    private static let favour = Option(
        "favour",
        .text.named("SIDE"),
        help: "with merge: the machine or the version whose files count if no rule merges them"
    )
    private static let note = Option("note", .text.named("TEXT"), help: "why, for whoever reads the history later")

    private static let set = Argument(optional: "SET", .text.named("SET"), help: "which set; without it, all")

    static let row = Command<CommandAction>(
        "conflicts",
        summary: "show which saves were changed on two machines, and all that differs",
        discussion:
            "Until somebody chooses, nothing changes in the game's folder, and both versions are kept on all machines.",
        arguments: [set],
        options: AskingOptions.all,
        examples: [
            Example("huddle conflicts", "which is further?"),
            Example("huddle conflicts celeste", "of one set"),
        ],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        try await Daemon.show(
            ControlQuestion("GET", ["v1", "conflicts"], query: given[set].map { ["set": $0] } ?? [:]),
            given,
            console,
            signals,
            ifNothing: .result("no conflicts")
        )
    }

    static let resolving = Command<CommandAction>(
        "resolve",
        summary: "end a conflict, on all machines",
        discussion:
            "The other versions stay in the history: `huddle restore` puts them back. A merge that can't merge every file changes nothing, unless --favour says whose files count.",
        arguments: [SaveAsking.set],
        options: [take, favour, note] + AskingOptions.all,
        examples: [
            Example("huddle resolve celeste --take Deck", "go on with what was saved on Deck"),
            Example("huddle resolve celeste --take merge", "both, if rules merge every file"),
            Example("huddle resolve celeste --take merge --favour Deck", "with the files of Deck where no rule merges"),
        ],
        exitCodes: SaveAsking.exitCodes + [.undecided]
    ) { given, console, signals in
        guard let side = given[take] else {
            throw CommandError(
                "command.no-side",
                "which version to go on with is not said",
                nextStep: "look at `huddle conflicts`, then add --take and a machine, merge or a version"
            )
        }
        guard given[favour] == nil || side == "merge" else {
            throw CommandError(
                "command.favour-alone",
                "--favour says whose files count in a merge, and none was asked for",
                nextStep: "leave it out, or say --take merge"
            )
        }
        var body = SaveBody()
        body.fields.set("take", side)
        body.fields.set("favour", given[favour])
        body.fields.set("note", given[note])
        let question = ControlQuestion("POST", ["v1", "saves", given[SaveAsking.set], "resolve"], saying: body)
        return try await Daemon.show(question, given, console, signals)
    }
}
