import CommandTable
import FoundationEssentials
import Games
import Household
import LinuxPlatform
import Vocabulary

/// `huddle launcher`: change the settings with which Steam, Heroic and Lutris start shared games with `huddle play`.
enum LauncherCommand {
    private static let wanted = Argument(
        repeating: "WHICH",
        .text.named("WHICH").offering(LauncherEntry.Kind.allCases.map(\.rawValue)),
        atLeast: 0,
        help: "steam, heroic or lutris, or a game (default: all shared games of all launchers)"
    )
    private static let exitCodes: [ExitCode] = [.success, .failure, .usage, .noDaemon, .interrupted]

    static let row = Command<CommandAction>(
        "launcher",
        summary: "let Steam, Heroic and Lutris start shared games with their newest saves",
        discussion: """
            Without a command it says which shared games a launcher starts with `huddle play`, and which without. A \
            game that starts without it syncs, too. With it the game waits for the newest save, and other machines \
            know that it is played. Launchers in a sandbox, such as Flatpaks, can't start `huddle`.
            """,
        options: AskingOptions.all,
        examples: [
            Example("huddle launcher on", "all shared games; the launchers must be closed"),
            Example("huddle launcher on heroic", "the games of one launcher"),
            Example("huddle launcher off celeste", "as before, for one game"),
        ],
        exitCodes: exitCodes,
        subcommands: [
            change("on", "start games with `huddle play`", isOn: true),
            change("off", "start games without `huddle play`", isOn: false),
        ],
        action: { given, console, signals in try await run(given, console, signals, among: [], turning: nil) }
    )

    private static func change(_ name: String, _ summary: String, isOn: Bool) -> Command<CommandAction> {
        Command<CommandAction>(
            name,
            summary: summary,
            discussion: """
                A launcher writes its settings when it ends, so close it first. Everything else in its settings stays \
                as it is. The settings before the first change are kept in the folder `launchers` of the state folder.
                """,
            arguments: [wanted],
            options: AskingOptions.all,
            examples: [
                Example("huddle launcher \(name) celeste", "one game"),
                Example("huddle launcher \(name) steam", "the games of one launcher"),
            ],
            exitCodes: exitCodes
        ) { given, console, signals in
            try await run(given, console, signals, among: given[wanted], turning: isOn)
        }
    }

    private static func run(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        among words: [String],
        turning isOn: Bool?
    ) async throws -> ExitCode {
        let code = try await unlessSignalled(signals) {
            let games = try await launched(given, words)
            if isOn != nil { try await requireClosed(games) }
            let backups = "\(StateFolder.path(given))/launchers"
            let rows = try await runBlocking("launchers") {
                if isOn != nil { try FolderPath.make(backups, mode: .privateFolder) }
                return try games.map { game in
                    do throws(LauncherFile.Failure) {
                        return try game.turned(isOn, keepingIn: backups)
                    } catch {
                        throw CommandError(error, of: game.entry.kind)
                    }
                }
            }
            if given[LookingOptions.json] {
                let report = JSONReport(console)
                for row in rows { try await report.print(row) }
            } else {
                try await console.print(LaunchedGame.table(rows))
            }
            return ExitCode.success
        }
        return code ?? .interrupted
    }

    /// Returns the shared games of all launchers, or those that the user named.
    private static func launched(_ given: GivenValues, _ words: [String]) async throws -> [LaunchedGame] {
        _ = try Daemon.required(given)
        guard let folders = await SharedFolders.ask(given) else { throw CommandError.noAnswer }
        let accounts = try await runBlocking("launchers") {
            SteamAccount.all(GameSurroundings(ProgramLaunch.ownEnvironment))
        }
        let shared = try await GamesCommand.found(given).games.compactMap { game in
            folders.name(of: game).map { (game: game, name: $0) }
        }
        let all = shared.flatMap { game, name in
            game.entries(accounts).map { LaunchedGame($0, name: name, title: game.title, id: game.id) }
        }
        let (kinds, names) = (
            words.compactMap(LauncherEntry.Kind.init), words.filter { LauncherEntry.Kind(rawValue: $0) == nil }
        )
        for typed in names where !all.contains(where: { $0.goes(by: typed) }) {
            throw CommandError.notThere(typed, isShared: shared.contains { $0.name == typed })
        }
        let meant = all.filter { game in
            (kinds.isEmpty || kinds.contains(game.entry.kind)) && (names.isEmpty || names.contains(where: game.goes))
        }
        guard !meant.isEmpty else {
            let inSteam = shared.contains { !$0.game.steamApps.isEmpty }
            throw inSteam && accounts.isEmpty && (kinds.isEmpty || kinds == [.steam])
                ? CommandError.noSteam : CommandError.noSharedGame(kinds)
        }
        return meant.sorted { ($0.name, $0.entry.kind.rawValue) < ($1.name, $1.entry.kind.rawValue) }
    }

    private static func requireClosed(_ games: [LaunchedGame]) async throws {
        let kinds = LauncherEntry.Kind.allCases.filter { kind in games.contains { $0.entry.kind == kind } }
        let running = try await runBlocking("launchers") {
            kinds.first { $0.programs.contains { !RunningProgram.all(named: $0).isEmpty } }
        }
        guard let running else { return }
        throw CommandError(
            ErrorCode(.busy, "launcher.runs"),
            "no settings were changed: \(running.label) runs, and writes its own when it ends",
            nextStep: "close \(running.label), then run this again"
        )
    }
}

/// A shared game in one launcher, which starts it with or without `huddle play`.
struct LaunchedGame: Encodable, Sendable {
    let entry: LauncherEntry
    let name: String
    let title: String
    private let id: String
    private var isOn = false

    private enum CodingKeys: String, CodingKey { case event, launcher, name, title, on }

    init(_ entry: LauncherEntry, name: String, title: String, id: String) {
        (self.entry, self.name, self.title, self.id) = (entry, name, title, id)
    }

    func goes(by typed: String) -> Bool { name == typed || id == typed.lowercased() }

    /// - Parameter isOn: true to let the launcher start the game with `huddle play`; nil changes nothing
    func turned(_ isOn: Bool?, keepingIn backups: String) throws(LauncherFile.Failure) -> LaunchedGame {
        if let isOn { try entry.play(isOn ? name : nil, by: Program.path ?? "huddle", keepingIn: backups) }
        var game = self
        game.isOn = try entry.playedGame() == name
        return game
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("launcher-game", forKey: .event)
        try container.encode(entry.kind.rawValue, forKey: .launcher)
        try container.encode(name, forKey: .name)
        try container.encode(title, forKey: .title)
        try container.encode(isOn, forKey: .on)
    }

    static func table(_ games: [LaunchedGame]) -> String {
        let width = games.map { ColumnText($0.name).width }.max() ?? 0
        return games.map { game in
            let words = game.isOn ? "starts with `huddle play`" : "starts without `huddle play`"
            return "\(ColumnText(game.name).fitted(to: width))  \(game.entry.kind.label.padded(to: 6))  \(words)"
        }.joined(separator: "\n")
    }
}

extension CommandError {
    fileprivate static let noSteam = CommandError(
        ErrorCode(.notFound, "launcher.no-steam"),
        "no Steam was found here that can start `huddle`: it has no settings yet, or runs in a sandbox such as Flatpak",
        nextStep: "start Steam once and close it; a game in a sandbox is synced without this"
    )
    fileprivate static let noAnswer = CommandError(
        ErrorCode(.unavailable, "control.bad-answer"),
        "the shared games are not known: the daemon did not list them",
        nextStep: "run `huddle list`"
    )

    fileprivate static func noSharedGame(_ kinds: [LauncherEntry.Kind]) -> CommandError {
        let launchers = (kinds.isEmpty ? LauncherEntry.Kind.allCases : kinds).map(\.label).joined(separator: " or ")
        return CommandError(
            ErrorCode(.notFound, "launcher.no-shared-game"),
            "no shared game with settings of its own is installed in \(launchers)",
            nextStep: "share one first: `huddle games` lists what can be shared"
        )
    }

    fileprivate static func notThere(_ typed: String, isShared: Bool) -> CommandError {
        let shown = PrintableText(typed, limit: 80)
        return CommandError(
            ErrorCode(.notFound, "launcher.unknown-game"),
            isShared
                ? "no launcher here can start \(shown) with `huddle play`" : "no shared game is called “\(shown)”",
            nextStep: isShared
                ? "start it once in its launcher, or start it by hand: huddle play \(ShellWord(typed)) -- COMMAND"
                : "share it first: huddle share \(ShellWord(typed))"
        )
    }

    fileprivate init(_ failure: LauncherFile.Failure, of kind: LauncherEntry.Kind) {
        switch failure {
        case .damaged(let path):
            self.init(
                ErrorCode(.unreadable, "launcher.damaged"),
                "the settings were not changed: “\(PrintableText(path, limit: 4096))” is damaged",
                nextStep: "start \(kind.label) and close it, so that it writes the file again"
            )
        case .unusual(let path):
            self.init(
                ErrorCode(.unreadable, "launcher.unusual"),
                "the settings were not changed: only \(kind.label) knows the form of "
                    + "“\(PrintableText(path, limit: 4096))”",
                nextStep: "set the command there by hand; docs/how-to/other-launchers.md shows where"
            )
        case .changedMeanwhile(let path):
            self.init(
                ErrorCode(.busy, "launcher.runs"),
                "the settings were not changed: “\(PrintableText(path, limit: 4096))” was changed meanwhile",
                nextStep: "close \(kind.label), then run this again"
            )
        case .notWritten(let path, let error):
            self.init(
                ErrorCode(.file, "launcher.not-written"),
                "“\(PrintableText(path, limit: 4096))” was not written: \(error)",
                nextStep: "check the disk and the rights of the file"
            )
        }
    }
}
