/// What `--help` prints for a command.
struct HelpPage {
    private let command: Outline
    private let root: Outline
    private let width: Int

    init(_ command: Outline, of root: Outline, width: Int) {
        self.command = command
        self.root = root
        self.width = min(max(width, 40), 120)
    }

    /// The whole page; it ends with a newline.
    var text: String {
        sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var sections: [[String]] {
        [
            hanging("Usage: ", command.usage),
            TextLayout.wrapped(command.summary.asSentence, width: width),
            TextLayout.lines(command.discussion, width: width),
            table("Commands:", command.subcommands.map { ($0.name, $0.summary) }),
            table("Arguments:", command.arguments.map { ($0.shape.name, $0.shape.explanation) }),
            table("Options:", (ownOptions + BuiltIn.options(of: command)).map(row)),
            table("Options of every \(root.name) command:", command.inherited.map { row($0.shape) }),
            examples,
            table("Exit codes:", command.exitCodes.map { (String($0.number), $0.meaning) }),
            command.subcommands.isEmpty
                ? [] : TextLayout.wrapped("“\(root.name) help COMMAND” explains a command.", width: width),
        ].filter { !$0.isEmpty }
    }

    private var ownOptions: [OptionShape] { command.options.map(\.shape) }

    private var examples: [String] {
        command.examples.isEmpty
            ? []
            : ["Examples:"]
                + command.examples.flatMap { example in
                    ["  \(example.line)"]
                        + TextLayout.wrapped(example.explanation, width: width - 6).map { "      \($0)" }
                }
    }

    private func table(_ title: String, _ rows: [(String, String)]) -> [String] {
        rows.isEmpty ? [] : [title] + TextLayout.columns(rows, width: width)
    }

    private func row(_ option: OptionShape) -> (String, String) {
        let value = option.placeholder.map { " \($0)" } ?? ""
        let short = option.shortForm.map { "\($0), " } ?? "    "
        return (short + option.longForm + value, option.explanation)
    }

    private func hanging(_ title: String, _ text: String) -> [String] {
        let lines = TextLayout.wrapped(text, width: width - title.count)
        let margin = String(repeating: " ", count: title.count)
        return lines.enumerated().map { ($0.offset == 0 ? title : margin) + $0.element }
    }
}

extension OptionShape {
    /// The help, then in brackets what else there is to know.
    var explanation: String {
        let facts = [
            choices.isEmpty ? nil : choices.joined(separator: ", "),
            isRequired ? "required" : nil,
            isRepeatable ? "may be repeated" : nil,
            defaultText.map { "default: \($0)" },
            environment.map { "also \($0) in the environment" },
        ].compactMap(\.self)
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: "; ")))"
    }
}

extension ArgumentShape {
    /// The help, then in brackets what else there is to know.
    var explanation: String {
        choices.isEmpty ? help : "\(help) (\(choices.joined(separator: ", ")))"
    }
}
