/// The completion script for bash. It does not need the bash-completion package.
struct BashCompletions {
    private let root: Outline
    private let names: [String: String]

    init(_ root: Outline, _ names: [String: String]) {
        (self.root, self.names) = (root, names)
    }

    /// The script. It walks the words before the cursor, and finds the command that they name. It finds out if an
    /// option still needs its value, and then offers the candidates. Bash breaks words at `=`, so `--for=5s` arrives as
    /// three words.
    var text: String {
        let function = "_\(root.name.asFunctionName)"
        return """
            # bash completion for \(root.name), made from its table of commands
            \(names.isEmpty ? "" : namesFunction)\(function)() {
                local word=${COMP_WORDS[COMP_CWORD]} path=\(root.name.singleQuoted) option='' dashes='' index part
                for ((index = 1; index < COMP_CWORD; index++)); do
                    part=${COMP_WORDS[index]}
                    if [[ -n $option ]]; then
                        [[ $part == '=' ]] || option=''
                        continue
                    fi
                    case "$path:$part" in
                        *:--) dashes=yes; break ;;
            \(lines(steps, indent: 12))
                    esac
                done
                [[ $word == '=' ]] && word=''
                COMPREPLY=()
                if [[ -n $option ]]; then
                    case "$path:$option" in
            \(lines(values, indent: 12))
                    esac
                elif [[ -z $dashes && $word == -* ]]; then
                    case "$path" in
            \(lines(options, indent: 12))
                    esac
                else
                    case "$path:$dashes" in
            \(lines(operands, indent: 12))
                    esac
                fi
            }
            complete -F \(function) \(root.name)

            """
    }

    private var steps: [String] {
        root.all.flatMap { command in
            command.subcommands.map { "\(key(command, $0.name))) path=\($0.typed.singleQuoted) ;;" }
                + command.completedOptions.filter(\.takesValue).map { option in
                    let forms = option.forms.map { key(command, $0) }.joined(separator: " | ")
                    return "\(forms)) option=\(option.longForm) ;;"
                }
        }
    }

    private var values: [String] {
        let rows = root.all.flatMap { command in
            command.completedOptions.compactMap { option in
                offer(option.completion, option.placeholder).map { "\(key(command, option.longForm))) \($0) ;;" }
            }
        }
        return rows + ["*) ;;"]
    }

    private var options: [String] {
        root.all.map { command in
            "\(command.typed.singleQuoted)) \(words(command.completedOptions.map(\.longForm))) ;;"
        }
    }

    private var operands: [String] {
        root.all.flatMap { command -> [String] in
            let commands = words(command.subcommands.map(\.name))
            guard command.acts || command.subcommands.isEmpty else {
                return ["\(key(command, ""))) \(commands) ;;"]
            }
            let takesRest = command.arguments.contains { $0.shape.followsDashes }
            let programs = "\(key(command, "yes"))) mapfile -t COMPREPLY < <(compgen -c -- \"$word\") ;;"
            let afterDashes = takesRest ? [programs] : []
            let shapes = command.arguments.map(\.shape).filter { !$0.followsDashes }
            let offers = shapes.compactMap { offer($0.completion, $0.name) }
            guard command.subcommands.isEmpty else {
                let both = offers.first.map {
                    "\($0); local own=(\"${COMPREPLY[@]}\"); \(commands); COMPREPLY+=(\"${own[@]}\")"
                }
                return ["\(command.typed.singleQuoted):*) \(both ?? commands) ;;"]
            }
            return afterDashes + (offers.first.map { ["\(command.typed.singleQuoted):*) \($0) ;;"] } ?? [])
        } + ["*) ;;"]
    }

    private func key(_ command: Outline, _ word: String) -> String {
        "\(command.typed):\(word)".singleQuoted
    }

    /// The shell function that offers names. Bash also breaks words at `@`, and replaces only the text after it.
    private var namesFunction: String {
        """
        _\(root.name.asFunctionName)_names() {
            local name line=${COMP_LINE:0:COMP_POINT} typed=${word//\\\\/} kept=''
            if [[ ${line##* } == *@* ]]; then
                typed=${line##* }
                kept=${typed%"${typed##*@}"}
            fi
            COMPREPLY=()
            while IFS= read -r name; do
                [[ $name != "$typed"* ]] || COMPREPLY+=("$(printf %q "${name#"$kept"}")")
            done < <(\(root.name) names "$1" 2>/dev/null)
        }

        """
    }

    private func offer(_ completion: Completion, _ placeholder: String?) -> String? {
        switch completion {
        case .nothing: placeholder.flatMap { names[$0] }.map { "_\(root.name.asFunctionName)_names \($0)" }
        case .words(let choices): words(choices)
        case .files: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
        case .folders: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
        }
    }

    private func words(_ words: [String]) -> String {
        "mapfile -t COMPREPLY < <(compgen -W \(words.joined(separator: " ").singleQuoted) -- \"$word\")"
    }

    private func lines(_ lines: [String], indent: Int) -> String {
        lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
    }
}
