/// The commands and options that each program gets without listing them.
enum BuiltIn {
    static let help = Flag("help", short: "h", help: "show this help")
    static let version = Flag("version", help: "show the version")

    // A program without commands can't have the commands `completions` and `manual`. So it has options for them.
    static let completionsOption = Option("completions", .shell, help: "print completions for a shell")
    static let manualOption = Flag("manual", help: "print the manual page as roff")

    /// The topic of `help` for the common options.
    static let optionsTopic = "options"

    static let all = Flag("all", help: "list all commands, by topic")
    static let shell = Argument("SHELL", .shell, help: "the shell to complete in")
    static let page = Argument(optional: "PAGE", .text, help: "the page (default: the program's own)")
    static let list = Flag("list", help: "print the names of all pages, one a line")

    /// The argument for the commands to explain. A shell offers the commands of the first level.
    static func topic(offering names: [String] = []) -> Argument<[String]> {
        Argument(repeating: "COMMAND", .text.offering(names), atLeast: 0, help: "the command to explain")
    }

    /// Returns the built-in options of a command.
    static func options(of command: Outline) -> [OptionShape] {
        guard command.isRoot else { return [help.shape] }
        let version = [help.shape, version.shape]
        return command.subcommands.isEmpty ? version + [completionsOption.shape, manualOption.shape] : version
    }

    /// Returns the built-in commands of a program.
    ///
    /// - Parameter hasTopics: true if the program's own commands have headings
    static func commands(of program: String, beside names: [String], hasTopics: Bool) -> [Outline] {
        [
            Command(
                "help",
                summary: "explain a command",
                arguments: [topic(offering: names)],
                options: hasTopics ? [all] : [],
                examples: [Example("\(program) help", "list the commands")]
                    + (hasTopics ? [Example("\(program) help --all", "list all commands, by topic")] : []),
                action: ()
            ),
            Command(
                "completions",
                summary: "print a completion script for a shell",
                discussion: completionsDiscussion(program),
                arguments: [shell],
                examples: [Example("source <(\(program) completions bash)", "enable completion in this bash session")],
                action: ()
            ),
            Command(
                "manual",
                summary: "print a manual page as roff",
                arguments: [page],
                options: [list],
                examples: [Example("\(program) manual | man -l -", "read the manual without installing it")],
                action: ()
            ),
        ].map { Outline(hasTopics ? $0.filed(under: "Other") : $0, below: [program]) }
    }

    private static func completionsDiscussion(_ program: String) -> String {
        """
        Put the script where the shell looks for it:

            bash  ~/.local/share/bash-completion/completions/\(program)
            zsh   a folder of $fpath, as _\(program)
            fish  ~/.config/fish/completions/\(program).fish
        """
    }
}

extension ValueForm where Value == Shell {
    static var shell: ValueForm { .choice.named("SHELL") }
}
