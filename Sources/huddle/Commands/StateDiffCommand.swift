import CommandTable
import GameState
import LinuxPlatform
import SecureArchive

/// `huddle state diff`: where two saves differ.
enum StateDiffCommand {
    static let other = Argument("OTHER", .file, help: "the save to compare it with")
    /// For merging as well.
    static let limit = Option("limit", .integer(in: 1...1_000_000), default: 1000, help: "name at most as many places")

    static let row = Command<CommandAction>(
        "diff",
        summary: "say where two saves differ",
        discussion: """
            The two need not be in the same format. In what order keys stand makes no difference; the kind of a number does. \
            A line begins with ~ where a value is another, with + where only OTHER has one, with - where only FILE has.
            """,
        arguments: [StateOptions.file, other],
        options: [limit] + StateOptions.opening,
        examples: [Example("huddle state diff castle.save castle.save.old", "what has changed")],
        exitCodes: ExitCode.opening + [.different],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let old = try await OpenedState(given[StateOptions.file], given)
        let new = try await OpenedState(given[other], given)
        let limit = given[limit]
        let found = old.state.differences(to: new.state, limit: limit + 1)
        for difference in found.prefix(limit) {
            let line = given[StateOptions.json] ? try ValueShape.line(difference.fields) : difference.words
            try await console.print(line)
        }
        if found.count > limit { await console.complain("there are more differences; --limit names more of them") }
        return found.isEmpty ? .success : .different
    }
}
