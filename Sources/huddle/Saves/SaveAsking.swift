import CommandTable
import Household
import Vocabulary

/// What the commands about save sets have in common.
enum SaveAsking {
    static let exitCodes: [ExitCode] = [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted]

    static let set = Argument(
        "SET",
        .text.named("SET"),
        help: "the name of a save set, as `huddle saves list` shows it"
    )

    /// A set and a version of it, typed as one word.
    static func version(_ typed: String) throws(CommandError) -> (set: String, version: String) {
        let parts = typed.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw CommandError(
                "command.no-version",
                "“\(PrintableText(typed, limit: 200))” does not say which version",
                nextStep: "write it like celeste@12; `huddle history celeste` lists them"
            )
        }
        return (String(parts[0]), String(parts[1]))
    }
}

/// What is said to the daemon: only what was given.
struct SaveBody: JSONShape {
    var fields = JSONFields()
}
