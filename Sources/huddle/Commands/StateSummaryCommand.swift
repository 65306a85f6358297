import CommandTable
import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// `huddle state summary`: show score, level and time of saves, to choose between them.
enum StateSummaryCommand {
    static let files = Argument(repeating: "FILE", .file, help: "the saves")

    static let row = Command<CommandAction>(
        "summary",
        summary: "show score, level, time and the like of a save",
        discussion: """
            Score, level, play time, players, date: as far as the save of a known game has them, or by the lines of \
            --rules that begin with show.
            """,
        arguments: [files],
        options: [GameRulesFile.option] + StateOptions.opening,
        examples: [
            Example("huddle state summary castle.save", "one save"),
            Example("huddle state summary mine.save theirs.save", "two, to choose between them"),
        ],
        exitCodes: ExitCode.opening,
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let rules = try await GameRulesFile.rules(given)?.summary ?? []
        for path in given[files] {
            let opened = try await OpenedState(path, given)
            let known = KnownGame(recognising: opened.state)
            let summary =
                rules.isEmpty
                ? known?.summary(of: opened.state)
                : Summary(of: opened.state, by: rules, game: known?.description)
            if given[StateOptions.json] {
                try await console.print(try ValueShape.line(fields(summary, opened)))
            } else {
                try await tell(summary, known, opened, console)
            }
        }
        return .success
    }

    private static func tell(
        _ summary: Summary?,
        _ known: KnownGame?,
        _ opened: OpenedState,
        _ console: Console
    ) async throws {
        let what = summary?.game ?? "\(opened.format.words), \(opened.state.root.words())"
        try await console.say("\(opened.file.shown): \(PrintableText(what))")
        for line in summary?.text ?? [] { try await console.say("  " + line) }
        if summary == nil {
            await console.complain(
                known.map { "it looks like \($0), but is not a valid save: `huddle state check` says why" }
                    ?? "no known game has such saves: --rules can name the values to show"
            )
        }
    }

    private static func fields(_ summary: Summary?, _ opened: OpenedState) -> ArchiveFields {
        var fields: ArchiveFields = ["file": .string(opened.file.path), "format": .string(opened.format.name)]
        guard case .dictionary(let summarized)? = summary?.tree else { return fields }
        for (key, value) in summarized { fields[key] = value }
        return fields
    }
}
