/// The completion script for zsh: one function per command, each a call of `_arguments`.
struct ZshCompletions {
    private let root: Outline
    private let names: [String: String]

    init(_ root: Outline, _ names: [String: String]) {
        (self.root, self.names) = (root, names)
    }

    /// The script. It works both as the file `_huddle` in a folder of `$fpath` and when a shell sources it.
    var text: String {
        let function = function(of: root)
        return """
            #compdef \(root.name)
            # zsh completion for \(root.name), made from its table of commands

            \(names.isEmpty ? "" : namesFunction)\(root.all.map(definition).joined(separator: "\n"))
            if [[ $funcstack[1] == \(function) ]]; then
                \(function) "$@"
            else
                compdef \(function) \(root.name)
            fi

            """
    }

    private func definition(_ command: Outline) -> String {
        command.subcommands.isEmpty ? leaf(command) : group(command)
    }

    private func leaf(_ command: Outline) -> String {
        """
        \(function(of: command))() {
            _arguments -s -S : \(specifications(command, command.arguments.map { operand($0.shape) }))
        }

        """
    }

    private func group(_ command: Outline) -> String {
        let names = command.subcommands.map { sub in
            "\(sub.name):\(sub.summary)".singleQuoted
        }
        let cases = command.subcommands.map { sub in "        \(sub.name)) \(function(of: sub)) ;;" }
        return """
            \(function(of: command))() {
                local curcontext="$curcontext" state line
                typeset -A opt_args
                local -a commands=(
                    \(names.joined(separator: "\n        "))
                )
                _arguments -C -s -S : \(specifications(command, ["'1:command:->command'", "'*::argument:->argument'"]))
                case $state in
                command) _describe command commands\(ownOperand(command)) ;;
                argument)
                    case $line[1] in
            \(cases.joined(separator: "\n"))
                    esac
                    ;;
                esac
            }

            """
    }

    /// Returns the completion for the argument of a command that also has subcommands.
    private func ownOperand(_ command: Outline) -> String {
        guard let name = command.arguments.first?.shape.name, let kind = names[name] else { return "" }
        return "; \(namesName) \(kind)"
    }

    private func function(of command: Outline) -> String {
        "_" + command.path.map(\.asFunctionName).joined(separator: "__")
    }

    private func specifications(_ command: Outline, _ operands: [String]) -> String {
        (command.completedOptions.map(option) + operands).joined(separator: " \\\n        ")
    }

    /// Returns the specification of an option, `'(-t --type)'{-t+,--type=}'[help]:TYPE:action'`: the options that it
    /// excludes, its forms, its help and its value.
    private func option(_ option: OptionShape) -> String {
        let forms = option.forms.map { form in
            guard option.takesValue else { return form }
            return form.hasPrefix("--") ? "\(form)=" : "\(form)+"
        }
        let excluded = option.isRepeatable ? "'*'" : "'(\(option.forms.joined(separator: " ")))'"
        let written = forms.count > 1 ? "{\(forms.joined(separator: ","))}" : forms[0]
        let value = option.placeholder.map { ":\(escaped($0)):\(action(option.completion, option.placeholder))" } ?? ""
        return excluded + written + "[\(escaped(option.help))]\(value)".singleQuoted
    }

    private func operand(_ argument: ArgumentShape) -> String {
        let action = argument.followsDashes ? "_normal" : action(argument.completion, argument.name)
        let place = argument.followsDashes ? "*::" : argument.maximum > 1 ? "*" : argument.minimum == 0 ? ":" : ""
        return "\(place):\(escaped(argument.name)):\(action)".singleQuoted
    }

    private var namesFunction: String {
        """
        \(namesName)() {
            local -a names=("${(@f)$(\(root.name) names $1 2>/dev/null)}")
            compadd -a names
        }

        """
    }

    private var namesName: String { "_\(root.name.asFunctionName)__names_of" }

    private func action(_ completion: Completion, _ placeholder: String?) -> String {
        switch completion {
        case .nothing: placeholder.flatMap { names[$0] }.map { "{\(namesName) \($0)}" } ?? " "
        case .words(let choices): "(\(choices.map(escaped).joined(separator: " ")))"
        case .files: "_files"
        case .folders: "_files -/"
        }
    }

    /// Escapes brackets and colons, which separate the fields of a specification.
    private func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
