import CommandTable

@testable import huddle

/// The page `docs/reference/cli.md`, made from the table of commands.
enum CommandPage {
    static let path = "docs/reference/cli.md"

    static func text() throws -> String {
        let head = """
            # Commands

            The help of every command, as `huddle help COMMAND` prints it. This page is made from the table of
            commands: `make cli-page` writes it again.

            [Exit codes](../exit-codes.md) · [JSON](../json-output.md) · [the settings of huddled](settings.md)

            """
        let whole = section("huddle", try help(["--all"]))
        let each = try commands(of: HuddleProgram.table.root).map { path in
            section("huddle \(path.joined(separator: " "))", try help(path))
        }
        return ([head, whole] + each).joined(separator: "\n")
    }

    private static func section(_ title: String, _ help: String) -> String {
        "## \(title)\n\n```text\n\(help)```\n"
    }

    /// The words below the root that name each command, in the order of the table.
    private static func commands<Action>(of command: Command<Action>, below path: [String] = []) -> [[String]] {
        command.subcommands.flatMap { [path + [$0.name]] + commands(of: $0, below: path + [$0.name]) }
    }

    private static func help(_ words: [String]) throws -> String {
        guard case .show(let text) = try HuddleProgram.table.read(["help"] + words) else { return "" }
        return text
    }
}
