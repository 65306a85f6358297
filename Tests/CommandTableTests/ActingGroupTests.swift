import CommandTable
import Testing
import Vocabulary

@Suite("Commands with an action and subcommands", .timeLimit(.minutes(5)))
struct ActingGroupTests {
    private typealias Describe = @Sendable (GivenValues) -> String

    private static let json = Flag("json", help: "for a program")
    private static let game = Argument(optional: "GAME", .text, help: "which")
    private static let file = Argument("FILE", .file, help: "where from")

    private static let table = ProgramTable(
        Command<Describe>(
            group: "kit",
            summary: "try it",
            subcommands: [
                Command(
                    "games",
                    summary: "list them",
                    arguments: [game],
                    options: [json],
                    examples: [Example("kit games", "all")],
                    subcommands: [
                        Command(
                            "update",
                            summary: "take in a list",
                            arguments: [file],
                            examples: [Example("kit games update x", "from x")]
                        ) { "update \($0[file])" }
                    ]
                ) { "games \($0[game] ?? "-")\($0[json] ? " json" : "")" }
            ]
        ),
        version: "1",
        names: ["GAME": "games"]
    )

    @Test(
        "A command line reaches the command or a subcommand",
        arguments: [
            ("games", "games -"), ("games celeste", "games celeste"), ("games --json celeste", "games celeste json"),
            ("games update x", "update x"), ("games -- update", "update"),
            ("games celeste --json", "games celeste json"),
        ]
    )
    func isRead(_ line: String, _ expected: String) throws {
        let words = line.split(separator: " ").map(String.init)
        guard words != ["games", "--", "update"] else {
            // A word after the dashes is one like any other.
            #expect(throws: UsageError.self) { try Self.table.read(words) }
            return
        }
        guard case .perform(let action, let given) = try Self.table.read(words) else {
            Issue.record("it is shown, not done")
            return
        }
        #expect(action(given) == expected)
    }

    @Test("An option of the command before a subcommand, and a word too many, are refused")
    func refuses() {
        for line in [["games", "--json", "update", "x"], ["games", "a", "update"], ["games", "update"]] {
            #expect(throws: UsageError.self) { try Self.table.read(line) }
        }
    }

    @Test("The help and the completions have both the action and the subcommands")
    func shows() throws {
        guard case .show(let help) = try Self.table.read(["games", "--help"]) else { return }
        #expect(help.contains("Usage: kit games [OPTION]... [GAME]") && help.contains("  update  take in a list"))
        #expect(Self.table.faults == [])
        #expect(Self.table.completions(for: .bash).contains("_kit_names games"))
        #expect(Self.table.completions(for: .zsh).contains("_describe command commands; _kit__names_of games ;;"))
        #expect(Self.table.completions(for: .fish).contains("kit names games"))
    }
}
