import CommandTable
import Control
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// `huddle pause` and `huddle resume`.
enum PauseCommand {
    private static let length = Option(
        "for",
        .duration,
        help: "how long it stays paused (default: until you resume it)"
    )

    static let row = Command<CommandAction>(
        "pause",
        summary: "send, receive and apply nothing of a game for a while",
        discussion: """
            The saves that you make meanwhile stay in the history of this machine, and are sent after the pause. Other \
            machines go on without this one. `huddle restore` and `huddle undo` still work here. A pause outlives a \
            restart. Without a game it pauses all games, also those that are shared later.
            """,
        arguments: [GameAsking.anyGame],
        options: [length] + AskingOptions.all,
        examples: [
            Example("huddle pause celeste --for 2h", "try something that the other machines do not get yet"),
            Example("huddle pause", "all games, until `huddle resume`"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let game = given[GameAsking.anyGame]
        var body = GameBody()
        body.fields.set("seconds", seconds: given[length].map { $0 / .seconds(1) })
        let request =
            game.map { Endpoint.pauseGame.request($0, saying: body) } ?? Endpoint.pauseAll.request(saying: body)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let answers = try await daemon.all(request)
            guard report.isForUser else {
                for line in answers { try await report.tell(line) }
                return .success
            }
            let end = given[length].map { WallTime.now + $0.components.seconds }
            let subject = game.map { "\(PrintableText($0, limit: 80)) is" } ?? "all games are"
            try await report.say("\(subject) paused\(end.map { " until \(TimeText.local($0))" } ?? "")")
            try await report.say("To end the pause: huddle resume\(game.map { " \(ShellWord($0))" } ?? "")")
            return .success
        }
        return code ?? .interrupted
    }

    static let resuming = Command<CommandAction>(
        "resume",
        summary: "end the pause of a game",
        discussion: """
            The daemon sends what was saved in the pause, and fetches what other machines saved. If both saved, that \
            is a conflict, as after any time offline. Without a game it ends every pause.
            """,
        arguments: [GameAsking.anyGame],
        options: AskingOptions.all,
        examples: [Example("huddle resume celeste", "one game"), Example("huddle resume", "all games")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let game = given[GameAsking.anyGame]
        let request = game.map { Endpoint.resumeGame.request($0) } ?? Endpoint.resumeAll.request()
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let answers = try await daemon.all(request)
            guard report.isForUser else {
                for line in answers { try await report.tell(line) }
                return .success
            }
            let subject = game.map { "\(PrintableText($0, limit: 80)) syncs" } ?? "all games sync"
            try await report.say("\(subject) again")
            return .success
        }
        return code ?? .interrupted
    }
}
