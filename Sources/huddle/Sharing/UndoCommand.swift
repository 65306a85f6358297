import CommandTable
import Control
import Household
import LinuxPlatform
import SaveRules
import Vocabulary

/// `huddle undo` and `huddle mark`: take back the last change, and keep a version for good.
enum UndoCommand {
    private static let note = Argument("NOTE", .text.named("NOTE"), help: "a note that tells you which save it is")
    /// The number of versions that the search for a different one compares at most.
    private static let furthest = 50

    static let row = Command<CommandAction>(
        "undo",
        summary: "take back the last change of a game's saves, from any machine",
        discussion: """
            The version before becomes the newest one, here and on the other machines. The save that it replaces stays \
            in the history, so a second undo takes the undo back.
            """,
        arguments: [GameAsking.game],
        options: AskingOptions.all,
        examples: [Example("huddle undo celeste", "after a save that went wrong")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let game = given[GameAsking.game]
        let code = try await Daemon.ask(given, console, signals) { daemon in
            // The daemon scans the folder first, since a save of a moment ago is the last change.
            _ = try? await daemon.all(Endpoint.scanGame.request(game))
            let before = try await before(game, at: daemon)
            for line in try await restore(before, of: game, at: daemon) { try await report.tell(line) }
            return .success
        }
        return code ?? .interrupted
    }

    static let marking = Command<CommandAction>(
        "mark",
        summary: "keep the current save for good, with a note",
        arguments: [GameAsking.game, note],
        options: AskingOptions.all,
        examples: [Example("huddle mark celeste 'before the boss'", "`huddle history celeste` shows the note")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let (game, note) = (given[GameAsking.game], given[note])
        guard note.contains(where: { !$0.isWhitespace }) else {
            throw CommandError(
                ErrorCode(.invalid, "command.empty-note"),
                "the save was not marked: the note is empty",
                nextStep: "write a note that tells you which save it is, such as 'before the boss'"
            )
        }
        let code = try await Daemon.ask(given, console, signals) { daemon in
            guard let shown = try await daemon.all(Endpoint.game.request(game)).first?.game?.versions.shown else {
                throw nothing(of: game)
            }
            for line in try await restore(shown, of: game, at: daemon, note: note) {
                if case .gameVersion = line.event { continue }
                try await report.tell(line)
            }
            let shownNote = PrintableText(note, limit: 200)
            let sentence = "\(PrintableText(game, limit: 80)) is marked “\(shownNote)”"
            try await report.tell(DaemonLine(.marked(MarkedEvent(game, note: note)), sentence))
            return .success
        }
        return code ?? .interrupted
    }

    @Engine
    private static func restore(
        _ snapshot: String,
        of game: String,
        at daemon: ControlConnection,
        note: String? = nil
    ) async throws -> [DaemonLine] {
        var body = GameBody()
        body.fields.set("version", snapshot)
        body.fields.set("note", note)
        return try await daemon.all(Endpoint.restoreVersion.request(game, saying: body))
    }

    /// Returns the newest version before the current one whose files differ. The version right before may have the same
    /// files: after the user fixed a conflict, it is the chosen side.
    @Engine
    private static func before(_ game: String, at daemon: ControlConnection) async throws -> String {
        let now = try await daemon.all(Endpoint.game.request(game)).first?.game
        switch now?.state {
        case .conflict: throw conflict(game)
        // The last change is that the folder lost its files. So the version before is the one that the folder had.
        case .emptied: if let shown = now?.versions.shown { return shown }
        default: break
        }
        let versions = try await daemon.all(Endpoint.versions.request(game, query: ["limit": "10000"]))
            .compactMap(\.version)
        guard let shown = versions.lastIndex(where: \.isShown) else { throw nothing(of: game) }
        let current = versions[shown].snapshot
        for version in versions[..<shown].reversed().prefix(furthest) where version.isWhole {
            let sides = ["from": version.snapshot, "to": current]
            let differs = try await daemon.all(Endpoint.differences.request(game, query: sides))
            if !differs.isEmpty { return version.snapshot }
        }
        throw CommandError(
            "command.nothing-before",
            "\(PrintableText(game, limit: 80)) has no earlier version in the history",
            nextStep: "`huddle history \(ShellWord(game))` lists its versions"
        )
    }

    private static func conflict(_ game: String) -> CommandError {
        CommandError(
            ErrorCode(.conflict, "command.undo-in-conflict"),
            "two machines saved \(PrintableText(game, limit: 80)) apart, and undo would choose one side for you",
            nextStep: "choose a save first: huddle fix \(ShellWord(game))"
        )
    }

    private static func nothing(of game: String) -> CommandError {
        CommandError(
            "command.no-current",
            "\(PrintableText(game, limit: 80)) has no current save on this machine",
            nextStep: "`huddle list` shows its state"
        )
    }
}
