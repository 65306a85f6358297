import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle list`, `show` and `diff`: the states of shared games, and the contents of their versions.
enum ListCommand {
    private static let shown = Argument(
        "GAME[@VERSION]",
        .text.named("GAME[@VERSION]"),
        help: "the game, or one of its versions"
    )
    private static let other = Argument("@VERSION", .text.named("@VERSION"), help: "another version, as in @12")

    static let row = Command<CommandAction>(
        "list",
        summary: "list the games that are shared here, and those that other machines offer",
        options: AskingOptions.all,
        examples: [Example("huddle list", "each game with its state, its versions and its machines")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        try await Daemon.show(
            Endpoint.games.request(),
            given,
            console,
            signals,
            ifNothing: .result("No game is shared yet. Share one: huddle share GAME")
        )
    }

    static let showing = Command<CommandAction>(
        "show",
        summary: "show a game's state and settings, or the files of a version",
        arguments: [shown],
        options: AskingOptions.all,
        examples: [
            Example("huddle show celeste", "its machines, settings and ignored files"),
            Example("huddle show celeste@12", "its files and its summary"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let typed = given[shown]
        guard typed.contains("@") else {
            return try await Daemon.show(Endpoint.game.request(typed), given, console, signals)
        }
        let (game, version) = try GameAsking.version(typed)
        let request = Endpoint.version.request(game, version)
        return try await Daemon.show(request, given, console, signals)
    }

    static let comparing = Command<CommandAction>(
        "diff",
        summary: "show what differs between two versions of a game",
        arguments: [GameAsking.version, other],
        options: AskingOptions.all,
        examples: [Example("huddle diff celeste@11 @12", "each value that changed")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let (game, version) = try GameAsking.version(given[GameAsking.version])
        // The user may type the game before the second version, too.
        let second = given[other].hasPrefix("\(game)@") ? String(given[other].dropFirst(game.count + 1)) : given[other]
        let request = Endpoint.differences.request(game, query: ["from": version, "to": second])
        return try await Daemon.show(request, given, console, signals, ifNothing: .result("no file differs"))
    }
}
