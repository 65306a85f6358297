import CommandTable
import GameState
import LinuxPlatform
import SecureArchive

/// `huddle state show`: show all values of a save as a tree.
enum StateShowCommand {
    /// The approximate size of one write, in bytes.
    private static let pieceSize = 1 << 16

    static let row = Command<CommandAction>(
        "show",
        summary: "show all values of a save",
        discussion: """
            It prints a line for each value, shortened to the width of the terminal (--json has it all): “text” is in \
            quotes, 1.0 is a real and 1 an integer. Characters that could mislead a terminal are escaped.
            """,
        arguments: [StateOptions.file],
        options: [StateOptions.raw] + StateOptions.opening,
        examples: [
            Example("huddle state show castle.save", "the tree"),
            Example("huddle state show settings.plist --raw", "the objects of a keyed archive, whatever their classes"),
        ],
        exitCodes: ExitCode.opening,
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let opened = try await OpenedState(given[StateOptions.file], given, raw: given[StateOptions.raw])
        if given[StateOptions.json] {
            try await print(["format": .string(opened.format.name), "value": opened.state.root], console)
        } else {
            try await console.say("\(opened.format.words): \(opened.state.root.words())")
            try await print(TreeLines(below: opened.state.root), console)
        }
        return .success
    }

    /// Prints an object on one line.
    static func print(_ fields: ArchiveFields, _ console: Console) async throws {
        var pieces = ShapePieces(fields)
        while let piece = try pieces.next() { try await console.print(piece, terminator: "") }
        try await console.print("")
    }

    /// Prints many lines in pieces, so that memory never holds all lines.
    static func print(_ lines: TreeLines, _ console: Console) async throws {
        var piece = ""
        let width = console.width
        for line in lines {
            piece += ColumnText.cut(line, to: width) + "\n"
            if piece.utf8.count >= pieceSize {
                try await console.print(piece, terminator: "")
                piece = ""
            }
        }
        if !piece.isEmpty { try await console.print(piece, terminator: "") }
    }
}
