/// The help page of a command.
struct HelpPage {
    private let command: Outline
    private let root: Outline
    private let width: Int
    /// True if the page also lists the commands that are under headings.
    private let isWhole: Bool
    /// The options that this page names, but does not explain. The page of the common options explains them.
    private let commonOptions: [OptionShape]

    init(
        _ command: Outline,
        of root: Outline,
        width: Int,
        isWhole: Bool = false,
        commonOptions: [OptionShape] = []
    ) {
        self.command = command
        self.root = root
        self.isWhole = isWhole
        self.commonOptions = commonOptions
        self.width = min(max(width, 40), 120)
    }

    /// The whole page, which ends with a newline.
    var text: String {
        sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The page that explains the common options.
    var commonOptionsText: String {
        table("Options of many commands:", (commonOptions + [BuiltIn.help.shape]).map(row)).joined(separator: "\n")
            + "\n"
    }

    private var sections: [[String]] {
        let head = [
            hanging("Usage: ", command.usage),
            TextLayout.wrapped(command.summary.asSentence, width: width),
            TextLayout.lines(command.discussion, width: width),
        ]
        let rest = [
            table("Arguments:", command.arguments.map { ($0.shape.name, $0.shape.explanation) }),
            table("Options:", options.filter { !isCommon($0) }.map(row)),
            table("Options of every \(root.name) command:", command.inherited.map { row($0.shape) }),
            examples,
            TextLayout.wrapped(mention, width: width),
            command.subcommands.isEmpty ? [] : TextLayout.wrapped(advice, width: width),
        ]
        return (head + commands + rest).filter { !$0.isEmpty }
    }

    /// The list of commands. Only the complete list includes those under headings.
    private var commands: [[String]] {
        let common = table("Commands:", command.subcommands.filter { $0.topic == nil }.map { ($0.name, $0.summary) })
        return [common]
            + (isWhole ? topics : []).map { topic in
                table("\(topic):", command.subcommands.filter { $0.topic == topic }.map { ($0.name, $0.summary) })
            }
    }

    private var topics: [String] {
        command.subcommands.compactMap(\.topic).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private var advice: String {
        let help = "\(root.name) help"
        guard !topics.isEmpty, !isWhole else {
            let more =
                isWhole && !commonOptions.isEmpty ? ", and “\(help) \(BuiltIn.optionsTopic)” the common options" : ""
            return "“\(help) COMMAND” explains a command\(more)."
        }
        return "“\(help) --all” lists all commands, and “\(help) COMMAND” explains one."
    }

    private var options: [OptionShape] { command.options.map(\.shape) + BuiltIn.options(of: command) }

    private func isCommon(_ option: OptionShape) -> Bool {
        let names = (commonOptions + [BuiltIn.help.shape]).map(\.name)
        return !command.isRoot && !commonOptions.isEmpty && names.contains(option.name)
    }

    /// A sentence with the names of the common options of the command.
    private var mention: String {
        let names = options.filter(isCommon).map(\.longForm)
        guard let last = names.last else { return "" }
        let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and \(last)"
        return "Also \(list): “\(root.name) help \(BuiltIn.optionsTopic)” explains them."
    }

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
    /// The help text, followed by further facts in brackets.
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
    /// The help text, followed by the choices in brackets.
    var explanation: String {
        choices.isEmpty ? help : "\(help) (\(choices.joined(separator: ", ")))"
    }
}
