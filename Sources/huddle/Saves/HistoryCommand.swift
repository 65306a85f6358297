import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle history`, `restore` and `fsck`: the versions of games.
enum HistoryCommand {
    private static let game = Argument(
        optional: "GAME",
        .text.named("GAME"),
        help: "the game (default: the space of all games)"
    )
    private static let mostVersions = 10_000
    private static let limit = Option(
        "limit",
        .integer(in: 1...mostVersions),
        default: 20,
        help: "the number of versions to list"
    )
    private static let clean = Flag("clean", help: "free the space that no version needs")
    private static let left = Flag(
        "left",
        help: "with --clean: also the versions of games that are stopped here"
    )
    private static let note = Option("note", .text.named("TEXT"), help: "a note for the history")
    private static let repair = Flag(
        "repair",
        help: "discard the damaged versions, so that other machines can send them again"
    )

    static let row = Command<CommandAction>(
        "history",
        summary: "list the versions of a game, the newest last, or the space that all take",
        arguments: [game],
        options: [limit, clean, left] + AskingOptions.all,
        examples: [
            Example("huddle history celeste", "each version with its time, its machine and its summary"),
            Example("huddle history", "the space on the disk"),
            Example("huddle history --clean --left", "free the versions of stopped games, too"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        if given[clean], given[game] != nil {
            throw CommandError(
                ErrorCode(.invalid, "command.clean-all"),
                "--clean works on the versions of all games, and one game is named",
                nextStep: "leave out the name; to keep fewer versions of one game: huddle set GAME --keep N"
            )
        }
        if given[clean] {
            var body = GameBody()
            body.fields.set("left", given[left])
            let request = Endpoint.cleanHistory.request(saying: body)
            return try await Daemon.show(request, given, console, signals)
        }
        if given[left] {
            throw CommandError(
                ErrorCode(.invalid, "command.left-alone"),
                "--left belongs to --clean, which is missing",
                nextStep: "`huddle history --clean --left` deletes the versions of games that are stopped here"
            )
        }
        guard let set = given[game] else {
            return try await Daemon.show(Endpoint.history.request(), given, console, signals)
        }
        if let place = set.firstIndex(of: "@") {
            throw CommandError(
                ErrorCode(.invalid, "command.one-version"),
                "history lists all versions of a game, and “\(PrintableText(set, limit: 80))” is one of them",
                nextStep: "huddle show \(ShellWord(set)), or huddle history \(ShellWord(String(set[..<place])))"
            )
        }
        return try await list(set, given, console, signals)
    }

    /// Lists the newest versions, and remarks on older ones that are left out.
    private static func list(
        _ set: String,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], isTable: true, console)
        let most = given[limit]
        let code = try await Daemon.ask(given, console, signals) { daemon in
            // One version more than the command shows is enough to see if there are older ones.
            let asked = min(most + 1, mostVersions)
            var answers = try await daemon.all(Endpoint.versions.request(set, query: ["limit": "\(asked)"]))
            let hasOlder = answers.count { $0.version != nil } > most
            if hasOlder, let oldest = answers.firstIndex(where: { $0.version != nil }) { answers.remove(at: oldest) }
            for line in answers { try await report.tell(line) }
            if hasOlder, report.isForUser {
                await report.complain(
                    "older versions are left out; to see them: --limit \(min(most * 10, mostVersions))"
                )
            }
            return .success
        }
        return code ?? .interrupted
    }

    static let restoring = Command<CommandAction>(
        "restore",
        summary: "make an old version of a game the newest one",
        discussion: """
            Other machines get it, too. The save that it replaces stays in the history, so `huddle undo` takes this \
            back.
            """,
        arguments: [GameAsking.version],
        options: [note] + AskingOptions.all,
        examples: [Example("huddle restore celeste@12", "the number from `huddle history celeste`")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let (set, version) = try GameAsking.version(given[GameAsking.version])
        var body = GameBody()
        body.fields.set("version", version)
        body.fields.set("note", given[note])
        let request = Endpoint.restoreVersion.request(set, saying: body)
        return try await Daemon.show(request, given, console, signals)
    }

    static let checking = Command<CommandAction>(
        "fsck",
        summary: "check every version in the history for damage",
        options: [repair] + AskingOptions.all,
        examples: [Example("huddle fsck", "after trouble with a disk")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        var body = GameBody()
        body.fields.set("repair", given[repair])
        let request = Endpoint.checkHistory.request(saying: body)
        return try await Daemon.show(request, given, console, signals)
    }
}
