import CommandTable
import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// `huddle state convert`: convert a save to another format.
enum StateConvertCommand {
    static let format = Option(
        "to",
        .oneOf(SaveFormat.names),
        help: "the format to write (default: by the end of the name of --output: json, xml, plist or sqlite)"
    )

    static let row = Command<CommandAction>(
        "convert",
        summary: "convert a save to another format",
        discussion: """
            A value that the new format can't hold is refused with its place, and never dropped, unless an option \
            allows it. Without --output the result goes to standard output.
            """,
        arguments: [StateOptions.file],
        options: [format, StateOptions.output] + Remedy.options + [StateOptions.raw] + StateOptions.opening,
        examples: [
            Example("huddle state convert castle.save --to json", "to read, or for another program"),
            Example(
                "huddle state convert party.save --to json --drop-classes --data-as-text",
                "JSON has no classes"
            ),
            Example("huddle state convert castle.json --to binary-plist -o castle.save", "to a file"),
            Example("huddle state convert scores.sqlite --to json", "a table of high scores"),
        ],
        exitCodes: ExitCode.opening + [.inexpressible],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let opened = try await OpenedState(given[StateOptions.file], given, raw: given[StateOptions.raw])
        let named = given[Self.format] ?? given[StateOptions.output].flatMap(SaveFormat.name(ofFile:))
        guard let format = named.flatMap(SaveFormat.init(name:)) else { throw CommandError.noFormat }
        let conversion = Remedy.conversion(given)
        if case .archive(let format) = format { try Remedy.check(opened, to: format, conversion) }
        let bytes = try opened.bytes(as: format, conversion, given)
        if let output = given[StateOptions.output] {
            let target = StateFile(path: output)
            try await target.write(bytes)
            if given[StateOptions.json] {
                let fields: ArchiveFields = [
                    "bytes": .integer(ArchiveInteger(bytes.count)), "file": .string(output),
                    "format": .string(format.name),
                ]
                try await console.print(try ValueShape.line(fields))
            }
            return .success
        }
        guard !console.isTerminal else {
            return try await show(bytes, as: format, console)
        }
        try await console.hand(on: bytes)
        return .success
    }

    /// Shows JSON on a terminal. Other formats are refused, since they could send control characters to it.
    private static func show(_ bytes: [UInt8], as format: SaveFormat, _ console: Console) async throws -> ExitCode {
        guard format == .archive(.json) else {
            throw CommandError(
                ErrorCode(.invalid, "command.terminal"),
                "\(format.words) is not for a terminal",
                nextStep: "give a file with --output, or pipe it into a program"
            )
        }
        // Inside quotes of JSON, an escape means the same character. Outside of them only line ends need an escape.
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        for line in lines { try await console.print(JSONReport.fitForTerminals(String(line))) }
        return .success
    }
}

extension CommandError {
    fileprivate static let noFormat = CommandError(
        ErrorCode(.invalid, "command.no-format"),
        "no format to write was given",
        nextStep: "add --to and one of \(SaveFormat.names.joined(separator: ", "))"
    )
}
