/// The completion script for fish: a function that finds the command on the line, and a `complete` for each candidate.
struct FishCompletions {
    private let root: Outline
    private let names: [String: String]

    init(_ root: Outline, _ names: [String: String]) {
        (self.root, self.names) = (root, names)
    }

    var text: String {
        """
        # fish completion for \(root.name), made from its table of commands
        function \(function) --argument-names wanted
            set -l path \(quoted(root.name))
            set -l skip
            for word in (commandline -opc)[2..]
                if test -n "$skip"
                    set skip
                    continue
                end
                switch "$path:$word"
                    \(cases.joined(separator: "\n            "))
                end
            end
            test "$path" = "$wanted"
        end

        complete -c \(root.name) -f
        \(root.all.flatMap(completions).joined(separator: "\n"))

        """
    }

    private var function: String { "__\(root.name.asFunctionName)_at" }

    private var cases: [String] {
        root.all.flatMap { command in
            command.subcommands.map { sub in
                "case \(quoted("\(command.typed):\(sub.name)")); set path \(quoted(sub.typed))"
            }
                + command.completedOptions.filter(\.takesValue).flatMap(\.forms).map { form in
                    "case \(quoted("\(command.typed):\(form)")); set skip yes"
                }
        }
    }

    private func completions(_ command: Outline) -> [String] {
        let here = "complete -c \(root.name) -n \(quoted("\(function) \"\(command.typed)\""))"
        let commands = command.subcommands.map { "\(here) -a \(quoted($0.name)) -d \(quoted($0.summary))" }
        let operands = command.arguments.compactMap { argument -> String? in
            let shape = argument.shape
            if shape.followsDashes { return "\(here) -a '(__fish_complete_subcommand)'" }
            return offer(shape.completion, shape.name).map { "\(here) \($0) -d \(quoted(shape.help))" }
        }
        let options = command.completedOptions.map { option in
            let short = option.short.map { " -s \($0)" } ?? ""
            return "\(here) -l \(option.name)\(short)\(value(of: option)) -d \(quoted(option.help))"
        }
        return commands + operands + options
    }

    private func value(of option: OptionShape) -> String {
        guard option.takesValue else { return "" }
        return offer(option.completion, option.placeholder).map { " -r \($0)" } ?? " -x"
    }

    private func offer(_ completion: Completion, _ placeholder: String?) -> String? {
        switch completion {
        case .nothing: placeholder.flatMap { names[$0] }.map { "-f -a '(\(root.name) names \($0) 2>/dev/null)'" }
        case .words(let choices): "-f -a \(quoted(choices.joined(separator: " ")))"
        case .files: "-F"
        case .folders: "-f -a '(__fish_complete_directories)'"
        }
    }

    /// Returns a single-quoted string for fish, in which only backslash and quote are special.
    private func quoted(_ text: String) -> String {
        "'" + text.map { "\\'".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
