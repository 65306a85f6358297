public import Vocabulary

/// A command line that the table does not allow. Its exit code is ``ExitCode/usage``.
public struct UsageError: ExplainedError, Equatable {
    /// The rule that the line breaks, as a stable code.
    public let code: ErrorCode

    /// The wrong part of the line, and the reason.
    public let message: String

    /// The correct form.
    public let nextStep: String

    private init(_ code: ErrorCode, _ message: String, _ nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }
}

// Words that are not UTF-8.
extension UsageError {
    static func notUTF8(_ word: [UInt8]) -> UsageError {
        UsageError(
            "usage.not-utf8",
            "\(quoted(String(decoding: word, as: UTF8.self))) is not UTF-8, "
                + "as the name of a file from an old system may be",
            "rename the file, for example with “convmv -f latin1 -t utf8 --notest FILE”, and type its new name"
        )
    }
}

// Unknown names.
extension UsageError {
    static func unknownCommand(_ typed: String, in group: Outline) -> UsageError {
        let names = group.subcommands.map(\.name)
        return UsageError(
            ErrorCode(.invalid, "usage.unknown-command"),
            "“\(group.typed)” has no command \(quoted(typed))",
            suggestion(NearestName.of(typed, in: names)) + "\(helpFor(group)) lists its commands"
        )
    }

    static func unknownOption(_ typed: String, in command: Outline, under root: Outline) -> UsageError {
        let known = (command.visibleOptions + BuiltIn.options(of: command)).flatMap(\.forms)
        // If the user typed the option before its command, that command is more likely in this group than elsewhere.
        let owner = [command, root].lazy.compactMap { outline in
            outline.firstCommand { $0.options.contains { $0.shape.forms.contains(typed) } }
        }.first
        let hint: String
        if let owner, owner.path != command.path {
            hint = "“\(owner.typed)” has it: write options of a command after its name; "
        } else {
            hint = suggestion(NearestName.of(typed, in: known))
        }
        return UsageError(
            ErrorCode(.invalid, "usage.unknown-option"),
            "“\(command.typed)” has no option \(quoted(typed))",
            hint + "\(helpFor(command)) lists its options"
        )
    }

    static func noCommand(in group: Outline) -> UsageError {
        let names = group.subcommands.map(\.name)
        // Thirty commands are too many to choose from, so the hint shows the examples.
        let isLong = names.count > 12 && !group.examples.isEmpty
        let choice =
            isLong
            ? "begin with \(group.examples.map { "`\($0.line)`" }.joined(separator: ", "))"
            : "choose one of \(names.joined(separator: ", "))"
        return UsageError(
            ErrorCode(.invalid, "usage.no-command"),
            "“\(group.typed)” needs a command",
            "\(choice); \(helpFor(group)) \(isLong ? "lists them all" : "explains them")"
        )
    }
}

// Options that are typed in a form that is not allowed.
extension UsageError {
    static func missingValue(_ option: OptionShape, as typed: String, before next: String?) -> UsageError {
        let placeholder = option.placeholder ?? "VALUE"
        guard let next else {
            let message = "the value of \(typed) is missing"
            return UsageError(ErrorCode(.invalid, "usage.missing-value"), message, "write \(typed) \(placeholder)")
        }
        return UsageError(
            ErrorCode(.invalid, "usage.missing-value"),
            "the value of \(typed) is missing, as \(quoted(next)) is an option itself",
            "write \(typed) \(placeholder), "
                + "or \(option.longForm)=\(PrintableText(next, limit: 80)) if that is the value"
        )
    }

    static func unexpectedValue(_ value: String, for option: OptionShape) -> UsageError {
        UsageError(
            ErrorCode(.invalid, "usage.unexpected-value"),
            "\(option.longForm) takes no value, but \(quoted(value)) is given",
            "write just \(option.longForm)"
        )
    }

    static func repeated(_ option: OptionShape) -> UsageError {
        UsageError(
            ErrorCode(.invalid, "usage.repeated-option"),
            "\(option.longForm) is given more than once",
            "give it once; it is not clear which value is meant"
        )
    }

    static func missingOption(_ option: OptionShape) -> UsageError {
        UsageError(
            ErrorCode(.invalid, "usage.missing-option"),
            "\(option.longForm) must be given",
            "add \(option.longForm) \(option.placeholder ?? "VALUE"): \(option.help)"
        )
    }
}

// Arguments that do not fit the command.
extension UsageError {
    static func missingArgument(_ argument: ArgumentShape, of command: Outline) -> UsageError {
        let place = argument.followsDashes ? "\(argument.name) after --" : argument.name
        return UsageError(
            ErrorCode(.invalid, "usage.missing-argument"),
            "“\(command.typed)” needs \(place): \(argument.help)",
            "write “\(command.usage)”"
        )
    }

    static func unexpectedArgument(_ typed: String, of command: Outline) -> UsageError {
        let takesRest = command.arguments.contains { $0.shape.followsDashes }
        return UsageError(
            ErrorCode(.invalid, "usage.too-many-arguments"),
            "\(quoted(typed)) is one argument too many for “\(command.typed)”",
            takesRest ? "write -- before it if it begins what is to be run" : "write “\(command.usage)”"
        )
    }

    static func badValue(_ error: any ExplainedError, _ given: GivenText, for place: String) -> UsageError {
        let place = given.variable.map { "\($0) in the environment" } ?? place
        return UsageError(ErrorCode(.invalid, "usage.bad-value"), "\(place): \(error.message)", error.nextStep)
    }
}

extension UsageError {
    private static func quoted(_ typed: String) -> String {
        "“\(PrintableText(typed, limit: 80))”"
    }

    private static func suggestion(_ name: String?) -> String {
        name.map { "did you mean “\($0)”? " } ?? ""
    }

    private static func helpFor(_ command: Outline) -> String {
        "“\(command.typed) --help”"
    }
}
