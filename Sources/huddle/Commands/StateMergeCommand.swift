import CommandTable
import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// `huddle state merge`: merge two saves that were both changed.
enum StateMergeCommand {
    static let mine = Argument("MINE", .file, help: "this machine's save, whose format the result has")
    static let theirs = Argument("THEIRS", .file, help: "the other save")
    static let base = Option(
        "base",
        .file,
        help: "the last common save; without it every difference counts as a change of both"
    )
    static let prefer = Option(
        "prefer",
        .oneOf(["mine", "theirs", "base"]),
        help: "the side whose value counts if no rule decides"
    )

    static let row = Command<CommandAction>(
        "merge",
        summary: "merge two saves that were both changed",
        discussion: """
            A change of one side alone is taken, and equal changes agree. For the rest rules decide: first those of \
            --rules, then those of the game, if it is known. Without a rule it is a conflict: it is listed, and \
            nothing is written unless --prefer decides. The lines show the changes of the merged save to MINE. Without \
            --output nothing is written.
            """,
        arguments: [mine, theirs],
        options: [base, GameRulesFile.option, prefer, StateDiffCommand.limit, StateOptions.output]
            + StateOptions.opening,
        examples: [
            Example("huddle state merge castle.save deck.save --base castle.old", "show the result"),
            Example("huddle state merge a.save b.save --rules game.rules -o merged.save", "write the result"),
        ],
        exitCodes: ExitCode.opening + [.inexpressible, .undecided],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        var mine = try await OpenedState(given[mine], given)
        let theirs = try await OpenedState(given[theirs], given)
        var base: OpenedState?
        if let path = given[Self.base] { base = try await OpenedState(path, given) }
        let game = KnownGame(recognising: mine.state)
        func inMyForm(_ state: GameState) -> GameState { game?.converted(state, toTheFormOf: mine.state) ?? state }
        var outcome = GameState.merge(
            base: base.map { inMyForm($0.state) },
            mine: mine.state,
            theirs: inMyForm(theirs.state),
            rules: try await rules(given, game)
        )
        let conflicts = outcome.conflicts
        if let word = given[prefer] { try outcome.settleAll(by: side(word)) }
        let changes = mine.state.differences(to: outcome.merged, limit: given[StateDiffCommand.limit] + 1)
        try await tell(changes, outcome.conflicts, settled: conflicts.count - outcome.conflicts.count, given, console)
        guard outcome.conflicts.isEmpty else { return .undecided }
        if let output = given[StateOptions.output] {
            mine.state = outcome.merged
            try await StateFile(path: output).write(try mine.bytes(as: mine.format, .none, given))
        }
        return .success
    }

    private static func rules(_ given: GivenValues, _ game: KnownGame?) async throws -> MergeRules {
        var rules = game?.rules ?? MergeRules()
        if let own = try await GameRulesFile.rules(given) { rules.add(own.merging) }
        return rules
    }

    private static func side(_ word: String) -> MergeOutcome.Side {
        switch word {
        case "theirs": .theirs
        case "base": .base
        default: .mine
        }
    }

    private static func tell(
        _ changes: [TreeDifference],
        _ conflicts: [MergeConflict],
        settled: Int,
        _ given: GivenValues,
        _ console: Console
    ) async throws {
        let limit = given[StateDiffCommand.limit]
        let (namedChanges, namedConflicts) = (changes.prefix(limit), conflicts.prefix(limit))
        if given[StateOptions.json] {
            let fields: ArchiveFields = [
                "changes": .array(namedChanges.map { .dictionary($0.fields) }),
                "conflicts": .array(namedConflicts.map { .dictionary($0.fields) }),
                "moreChanges": .bool(changes.count > limit), "moreConflicts": .bool(conflicts.count > limit),
                "settled": .integer(ArchiveInteger(settled)),
            ]
            return try await console.print(try ValueShape.line(fields))
        }
        for change in namedChanges { try await console.say(change.words) }
        let hasBase = given[base] != nil
        for line in namedConflicts.lazy.flatMap({ $0.words(hasBase: hasBase) }) { try await console.say(line) }
        for (words, count) in [("changes", changes.count), ("conflicts", conflicts.count)] where count > limit {
            await console.complain("there are more \(words); --limit names more of them")
        }
        if settled > 0 { await console.complain("\(settled) conflict\(settled == 1 ? "" : "s") settled by --prefer") }
        if !conflicts.isEmpty {
            let remedy = given[base] == nil ? "give the save that both came from with --base, " : ""
            await console.complain("nothing was written: \(remedy)choose with --prefer, or give rules with --rules")
        }
    }
}
