import CommandTable
import GameState
import LinuxPlatform
import SecureArchive

/// `huddle state get`: print one value of a save.
enum StateGetCommand {
    static let row = Command<CommandAction>(
        "get",
        summary: "print one value of a save",
        discussion: """
            In a pipe or a file, a string is written as it is, and data as its bytes; on a terminal both are made \
            printable. Dictionaries and arrays are shown as trees.
            """,
        arguments: [StateOptions.file, StateOptions.place],
        options: [StateOptions.raw] + StateOptions.opening,
        examples: [
            Example("huddle state get castle.save people[0].height", "a number"),
            Example("huddle state get castle.save people[0] --json", "a dictionary, for a program"),
        ],
        exitCodes: ExitCode.opening + [.unreachable],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let opened = try await OpenedState(given[StateOptions.file], given, raw: given[StateOptions.raw])
        let path = given[StateOptions.place]
        let value = try opened.state.value(at: path)
        if given[StateOptions.json] {
            try await StateShowCommand.print(["path": .string(path.description), "value": value], console)
            return .success
        }
        switch value.untagged {
        case .array, .dictionary: try await StateShowCommand.print(TreeLines(below: value), console)
        case .string(let text) where !console.isTerminal: try await console.print(text)
        case .data(let data) where !console.isTerminal: try await console.hand(on: data)
        case let plain: try await console.print(plain.words(limit: .max))
        }
        return .success
    }
}
