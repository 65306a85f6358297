import CommandTable
import FoundationEssentials
import Games
import Household
import LinuxPlatform
import Vocabulary

/// `huddle steam`: set the launch options by which Steam starts shared games with `huddle play`.
enum SteamCommand {
    private static let games = Argument(
        repeating: "GAME",
        .text.named("GAME"),
        atLeast: 0,
        help: "a game (default: all shared games that Steam has installed)"
    )
    private static let exitCodes: [ExitCode] = [.success, .failure, .usage, .noDaemon, .interrupted]

    static let row = Command<CommandAction>(
        "steam",
        summary: "let Steam start shared games with their newest saves",
        discussion: """
            Without a command it says which shared games Steam starts with `huddle play`, and which without. A game \
            that starts without it syncs, too. With it the game waits for the newest save, and other machines know \
            that it is played.
            """,
        options: AskingOptions.all,
        examples: [
            Example("huddle steam on", "all shared games; Steam must be closed"),
            Example("huddle steam off celeste", "as before, for one game"),
        ],
        exitCodes: exitCodes,
        subcommands: [
            change("on", "start games with `huddle play`", "other launch options stay as they are") { line, game in
                line.playing(game, by: Program.path ?? "huddle")
            },
            change("off", "start games without `huddle play`", "other launch options stay as they are") { line, _ in
                line.withoutHuddle
            },
        ],
        action: { given, console, signals in
            try await run(given, console, signals, among: []) { _, _ in nil }
        }
    )

    private static func change(
        _ name: String,
        _ summary: String,
        _ note: String,
        _ edit: @escaping @Sendable (LaunchLine, String) -> LaunchLine
    ) -> Command<CommandAction> {
        Command<CommandAction>(
            name,
            summary: summary,
            discussion: "Steam writes its settings when it ends, so close it first. The \(note).",
            arguments: [games],
            options: AskingOptions.all,
            examples: [Example("huddle steam \(name) celeste", "one game")],
            exitCodes: exitCodes
        ) { given, console, signals in
            try await requireClosed()
            return try await run(given, console, signals, among: given[games], edit)
        }
    }

    private static func run(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        among names: [String],
        _ edit: @escaping @Sendable (LaunchLine, String) -> LaunchLine?
    ) async throws -> ExitCode {
        let code = try await unlessSignalled(signals) {
            let shared = try await sharedGames(given, names)
            let accounts = try await runBlocking("steam") {
                SteamAccount.all(GameSurroundings(ProgramLaunch.ownEnvironment))
            }
            guard !accounts.isEmpty else { throw CommandError.noSteam }
            let rows = try await runBlocking("steam") {
                do {
                    return try shared.map { try SteamGame($0.game, named: $0.name, accounts, edit) }
                } catch let failure as SteamAccount.Failure {
                    throw CommandError(failure)
                }
            }
            if given[LookingOptions.json] {
                let report = JSONReport(console)
                for row in rows { try await report.print(row) }
            } else {
                try await console.print(SteamGame.table(rows))
            }
            return ExitCode.success
        }
        return code ?? .interrupted
    }

    /// The shared games that Steam has installed, or those that are named.
    private static func sharedGames(_ given: GivenValues, _ names: [String]) async throws -> [SharedGame] {
        _ = try Daemon.required(given)
        guard let folders = await SharedFolders.ask(given) else { throw CommandError.noAnswer }
        let shared = try await GamesCommand.found(given).games.compactMap { game in
            folders.name(of: game).map { SharedGame(game: game, name: $0) }
        }
        let installed = shared.filter { !$0.game.steamApps.isEmpty }
        guard !names.isEmpty else {
            if installed.isEmpty { throw CommandError.noSharedGame }
            return installed
        }
        return try names.map { typed in
            guard let game = installed.first(where: { $0.name == typed || $0.game.id == typed.lowercased() }) else {
                throw CommandError.notInSteam(typed, isShared: shared.contains { $0.name == typed })
            }
            return game
        }
    }

    struct SharedGame: Sendable {
        let game: FoundGame
        let name: String
    }

    private static func requireClosed() async throws {
        let isRunning = try await runBlocking("steam") { !RunningProgram.all(named: "steam").isEmpty }
        guard !isRunning else {
            throw CommandError(
                ErrorCode(.busy, "steam.runs"),
                "the launch options were not changed: Steam runs, and writes its own when it ends",
                nextStep: "close Steam, then run this again"
            )
        }
    }
}

/// A shared game, and whether Steam starts it with `huddle play`.
struct SteamGame: Encodable, Sendable {
    var event = "steam-game"
    let name: String
    let title: String
    /// True if every Steam account does.
    let isOn: Bool

    private enum CodingKeys: String, CodingKey {
        case event, name, title
        case isOn = "on"
    }

    /// - Parameter edit: the new launch options of the game; nil changes nothing
    init(
        _ game: FoundGame,
        named name: String,
        _ accounts: [SteamAccount],
        _ edit: (LaunchLine, String) -> LaunchLine?
    ) throws(SteamAccount.Failure) {
        var isOn = true
        for account in accounts {
            for app in game.steamApps {
                let line = try account.line(of: app) ?? LaunchLine("")
                let new = edit(line, name) ?? line
                if new != line { try account.setLine(new, of: app) }
                isOn = isOn && new.playedGame == name
            }
        }
        (self.name, title, self.isOn) = (name, game.title, isOn)
    }

    static func table(_ games: [SteamGame]) -> String {
        let width = games.map { ColumnText($0.name).width }.max() ?? 0
        return games.map { game in
            let words = game.isOn ? "starts with `huddle play`" : "starts without `huddle play`"
            return "\(ColumnText(game.name).fitted(to: width))  \(words)"
        }.joined(separator: "\n")
    }
}

extension CommandError {
    fileprivate static let noSteam = CommandError(
        ErrorCode(.notFound, "steam.not-found"),
        "no Steam was found here that can start `huddle`: it has no settings yet, or runs in a sandbox such as Flatpak",
        nextStep: "start Steam once and close it; a game in a sandbox is synced without this"
    )
    fileprivate static let noAnswer = CommandError(
        ErrorCode(.unavailable, "control.bad-answer"),
        "the shared games are not known: the daemon did not list them",
        nextStep: "run `huddle list`"
    )
    fileprivate static let noSharedGame = CommandError(
        ErrorCode(.notFound, "steam.no-shared-game"),
        "no shared game is installed in Steam",
        nextStep: "share one first: `huddle games` lists what can be shared"
    )

    fileprivate static func notInSteam(_ typed: String, isShared: Bool) -> CommandError {
        let shown = PrintableText(typed, limit: 80)
        return CommandError(
            ErrorCode(.notFound, "steam.unknown-game"),
            isShared ? "Steam has no \(shown) installed" : "no shared game is called “\(shown)”",
            nextStep: isShared
                ? "`huddle steam` lists the shared games of Steam; for others: "
                    + "huddle play \(ShellWord(typed)) -- COMMAND"
                : "share it first: huddle share \(ShellWord(typed))"
        )
    }

    fileprivate init(_ failure: SteamAccount.Failure) {
        switch failure {
        case .damaged(let path):
            self.init(
                ErrorCode(.unreadable, "steam.damaged"),
                "the launch options were not changed: “\(PrintableText(path, limit: 4096))” is damaged",
                nextStep: "start Steam and close it, so that it writes the file again"
            )
        case .changedMeanwhile(let path):
            self.init(
                ErrorCode(.busy, "steam.runs"),
                "the launch options were not changed: “\(PrintableText(path, limit: 4096))” was changed meanwhile",
                nextStep: "close Steam, then run this again"
            )
        case .notWritten(let path, let error):
            self.init(
                ErrorCode(.file, "steam.not-written"),
                "“\(PrintableText(path, limit: 4096))” was not written: \(error)",
                nextStep: "check the disk and the rights of the file"
            )
        }
    }
}
