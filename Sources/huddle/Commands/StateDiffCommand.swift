import CommandTable
import GameState
import LinuxPlatform
import SecureArchive

/// `huddle state diff`: show where two saves differ.
enum StateDiffCommand {
    static let other = Argument("OTHER", .file, help: "the save to compare with")
    /// The option belongs to `state merge`, too.
    static let limit = Option("limit", .integer(in: 1...1_000_000), default: 1000, help: "the number of places to list")

    static let row = Command<CommandAction>(
        "diff",
        summary: "show where two saves differ",
        discussion: """
            The saves may have different formats. The order of keys makes no difference; the kind of a number does. A \
            line begins with ~ for another value, with + for a value of OTHER only, and with - for a value of FILE \
            only.
            """,
        arguments: [StateOptions.file, other],
        options: [limit] + StateOptions.opening,
        examples: [Example("huddle state diff castle.save castle.save.old", "every change")],
        exitCodes: ExitCode.opening + [.different],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let old = try await OpenedState(given[StateOptions.file], given)
        let new = try await OpenedState(given[other], given)
        let limit = given[limit]
        let found = old.state.differences(to: new.state, limit: limit + 1)
        for difference in found.prefix(limit) {
            let line =
                given[StateOptions.json]
                ? try ValueShape.line(difference.fields) : console.fittedRow(difference.words)
            try await console.print(line)
        }
        if found.count > limit { await console.complain("there are more differences; --limit names more of them") }
        return found.isEmpty ? .success : .different
    }
}
