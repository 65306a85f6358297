/// The table without the program's actions: each command with its full path and its inherited options. Help, manual
/// pages, completions and the parser all use it.
struct Outline: Sendable {
    let path: [String]
    let summary: String
    let discussion: String
    let arguments: [any DeclaredArgument]
    let options: [any DeclaredOption]
    /// The options of the groups above, with the program's own options first.
    let inherited: [any DeclaredOption]
    let examples: [Example]
    let exitCodes: [ExitCode]
    /// The heading of this command in the complete list; nil if the command is in the short list.
    let topic: String?
    /// True if the command has an action of its own.
    let acts: Bool
    var subcommands: [Outline]

    init<Action>(_ command: Command<Action>, below path: [String] = [], inheriting: [any DeclaredOption] = []) {
        self.path = path + [command.name]
        summary = command.summary
        discussion = command.discussion
        arguments = command.arguments
        options = command.options
        inherited = inheriting
        examples = command.examples
        exitCodes = command.exitCodes
        topic = command.topic
        acts = command.action != nil
        let ownPath = self.path
        // Subcommands don't inherit the options of a command with an action of its own.
        let passedOn = command.action == nil ? inheriting + command.options : inheriting
        subcommands = command.subcommands.map { Outline($0, below: ownPath, inheriting: passedOn) }
    }

    var name: String { path[path.count - 1] }
    var isRoot: Bool { path.count == 1 }

    /// The command as the user types it: `huddle policy set`.
    var typed: String { path.joined(separator: " ") }

    /// The options that the command accepts.
    var visibleOptions: [OptionShape] { (inherited + options).map(\.shape) }

    /// The usage line: `huddle browse [OPTION]... [NAME]`.
    var usage: String {
        let required = visibleOptions.filter(\.isRequired).map { "\($0.longForm) \($0.placeholder ?? "VALUE")" }
        let own = acts && !subcommands.isEmpty && arguments.isEmpty ? ["[COMMAND]"] : arguments.map(\.shape.usage)
        let operands = acts || subcommands.isEmpty ? own : ["COMMAND"]
        return ([typed, "[OPTION]..."] + required + operands).joined(separator: " ")
    }

    /// This command and all commands below it, in the order of the table.
    var all: [Outline] { [self] + subcommands.flatMap(\.all) }

    func subcommand(_ name: String) -> Outline? {
        subcommands.first { $0.name == name }
    }

    func firstCommand(where matches: (Outline) -> Bool) -> Outline? {
        all.first(where: matches)
    }
}

extension OptionShape {
    var forms: [String] { [longForm] + (shortForm.map { [$0] } ?? []) }
}
