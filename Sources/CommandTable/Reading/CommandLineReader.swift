/// A parser of command lines that follows the GNU conventions. Options and arguments mix, `--` ends the options,
/// letters combine, and a value may be attached.
///
/// Long names can't be abbreviated. A script that abbreviates would break when the program gets another option with the
/// same beginning.
struct CommandLineReader {
    enum Finding {
        case help(Outline)
        case version
        case completions(Shell)
        case manual
        case values(GivenValues)
    }

    private let root: Outline
    private let environment: [String: String]
    private var command: Outline
    private var words: ArraySlice<String>
    private var texts: [String: [GivenText]] = [:]
    private var operands: [String] = []
    private var rest: [String]?

    init(_ words: [String], root: Outline, environment: [String: String]) {
        self.root = root
        self.environment = environment
        self.command = root
        self.words = words[...]
    }

    /// Reads the line. Throws at the first mistake, but a request for help before it takes precedence.
    mutating func read() throws(UsageError) -> Finding {
        while let word = words.popFirst() {
            if word == "--" {
                try takeRest()
            } else if word.hasPrefix("--") {
                if let finding = try readLongOption(word) { return finding }
            } else if word.hasPrefix("-"), word != "-", !isNegativeNumber(word) {
                if let finding = try readLetters(word) { return finding }
            } else {
                try readOperand(word)
            }
        }
        guard command.acts || command.subcommands.isEmpty else { throw UsageError.noCommand(in: command) }
        if command.isRoot, let finding = try standingAlone() { return finding }
        return .values(try values())
    }

    /// Returns a request for completions or for the manual, in a program without commands. Required arguments may be
    /// missing then.
    private func standingAlone() throws(UsageError) -> Finding? {
        let option = BuiltIn.completionsOption
        if let text = texts[option.shape.name]?.last {
            return .completions(try ValueForm.shell.read(text, for: option.shape.longForm))
        }
        return texts[BuiltIn.manualOption.shape.name] == nil ? nil : .manual
    }

    private mutating func takeRest() throws(UsageError) {
        if command.arguments.contains(where: { $0.shape.followsDashes }) {
            rest = Array(words)
        } else {
            for word in words { try readOperand(word) }
        }
        words = []
    }

    private mutating func readOperand(_ word: String) throws(UsageError) {
        if operands.isEmpty, let next = command.subcommand(word) {
            if command.acts, let stray = command.options.first(where: { texts[$0.shape.name] != nil }),
                !next.options.contains(where: { $0.shape.name == stray.shape.name })
            {
                throw UsageError.unknownOption(stray.shape.longForm, in: next, under: root)
            }
            command = next
        } else if command.subcommands.isEmpty || command.acts && !command.arguments.isEmpty {
            operands.append(word)
        } else {
            throw UsageError.unknownCommand(word, in: command)
        }
    }
}

// Options.
extension CommandLineReader {
    private mutating func readLongOption(_ word: String) throws(UsageError) -> Finding? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let typed = String(parts[0])
        guard let option = knownOption(typed) else {
            throw UsageError.unknownOption(typed, in: command, under: root)
        }
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard option.takesValue else {
            if let attached { throw UsageError.unexpectedValue(attached, for: option) }
            return switchOn(option)
        }
        if let attached {
            try note(option, attached)
        } else {
            try note(option, try nextValue(of: option, as: typed))
        }
        return nil
    }

    private mutating func readLetters(_ word: String) throws(UsageError) -> Finding? {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let typed = "-\(letter)"
            guard let option = knownOption(typed) else {
                // The user meant `-json` as a whole, so an error about its first letter would not help.
                let isFirst = letters.count == word.count - 2
                throw UsageError.unknownOption(isFirst ? word : typed, in: command, under: root)
            }
            if option.takesValue {
                try note(option, try letters.isEmpty ? nextValue(of: option, as: typed) : String(letters))
                return nil
            }
            if let finding = switchOn(option) { return finding }
        }
        return nil
    }

    /// Returns true for a word such as `-5`, which is a value unless the command has an option with this digit.
    private func isNegativeNumber(_ word: String) -> Bool {
        guard let digit = word.dropFirst().first, ("0"..."9").contains(digit) else { return false }
        return knownOption("-\(digit)") == nil
    }

    private func knownOption(_ typed: String) -> OptionShape? {
        (command.visibleOptions + BuiltIn.options(of: command)).first { $0.forms.contains(typed) }
    }

    private mutating func switchOn(_ option: OptionShape) -> Finding? {
        switch option.name {
        case BuiltIn.help.shape.name: return .help(command)
        case BuiltIn.version.shape.name where command.isRoot: return .version
        default:
            texts[option.name, default: []].append(GivenText("1"))
            return nil
        }
    }

    /// Returns the next word, even if it begins with a dash. Throws if the word is an option, since the user then
    /// forgot the value.
    private mutating func nextValue(of option: OptionShape, as typed: String) throws(UsageError) -> String {
        guard let next = words.popFirst() else { throw UsageError.missingValue(option, as: typed, before: nil) }
        guard next != "--", knownOption(next) == nil else {
            throw UsageError.missingValue(option, as: typed, before: next)
        }
        return next
    }

    private mutating func note(_ option: OptionShape, _ text: String) throws(UsageError) {
        guard option.isRepeatable || texts[option.name] == nil else { throw UsageError.repeated(option) }
        texts[option.name, default: []].append(GivenText(text))
    }
}

// Values.
extension CommandLineReader {
    private func values() throws(UsageError) -> GivenValues {
        var values = GivenValues(path: command.path)
        for option in command.inherited + command.options {
            let given = textsGiven(for: option.shape)
            values.set(option.shape.longForm, try option.read(given))
            values.note(option.shape.longForm, given)
        }
        let arguments = command.arguments.filter { !$0.shape.followsDashes }
        var left = operands[...]
        for (index, argument) in arguments.enumerated() {
            let needed = arguments[(index + 1)...].reduce(0) { $0 + $1.shape.minimum }
            // The argument gets as many values as it may have, less the number that later arguments need.
            let given = left.prefix(
                min(argument.shape.maximum, max(argument.shape.minimum, left.count - needed))
            )
            left = left.dropFirst(given.count)
            try read(argument, given, into: &values)
        }
        if let surplus = left.first { throw UsageError.unexpectedArgument(surplus, of: command) }
        for argument in command.arguments where argument.shape.followsDashes {
            try read(argument, rest ?? [], into: &values)
        }
        return values
    }

    private func read(
        _ argument: any DeclaredArgument,
        _ given: some Collection<String>,
        into values: inout GivenValues
    ) throws(UsageError) {
        guard given.count >= argument.shape.minimum else {
            throw UsageError.missingArgument(argument.shape, of: command)
        }
        values.set(argument.shape.name, try argument.read(given.map { GivenText($0) }))
    }

    /// Returns the texts for an option. The command line takes precedence over the environment. There, an empty
    /// variable counts as unset.
    private func textsGiven(for option: OptionShape) -> [GivenText] {
        if let given = texts[option.name] { return given }
        guard let variable = option.environment, let text = environment[variable], !text.isEmpty else { return [] }
        return [GivenText(text, from: variable)]
    }
}
