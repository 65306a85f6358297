import Vocabulary

extension ProgramTable {
    /// Reads the raw words of a command line. Refuses a word that is not UTF-8, since a repaired text would name
    /// another file.
    public func read(
        typed words: [[UInt8]],
        environment: [String: String] = [:],
        width: Int = 80
    ) throws(UsageError) -> Request<Action> {
        var texts: [String] = []
        for word in words {
            guard let text = String(validating: word, as: UTF8.self) else { throw UsageError.notUTF8(word) }
            texts.append(text)
        }
        return try read(texts, environment: environment, width: width)
    }

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - words: the arguments without the program's own name
    ///   - environment: the environment variables that options may read
    ///   - width: the number of columns for help
    public func read(
        _ words: [String],
        environment: [String: String] = [:],
        width: Int = 80
    ) throws(UsageError) -> Request<Action> {
        var reader = CommandLineReader(words, root: outline, environment: environment)
        switch try reader.read() {
        case .help(let command): return .show(page(of: command, width: width).text)
        case .version: return .show("\(name) \(version)\n")
        case .completions(let shell): return .show(completions(for: shell))
        case .manual: return .show(manualPages(of: Self.releaseDay(environment))[0].text)
        case .values(let values): return try request(values, environment, width: width)
        }
    }

    /// True if the program's commands have headings.
    private var hasTopics: Bool { root.subcommands.contains { $0.topic != nil } }

    /// The table with the built-in commands.
    var outline: Outline {
        var outline = Outline(root)
        if !outline.subcommands.isEmpty {
            outline.subcommands += BuiltIn.commands(
                of: root.name,
                beside: root.subcommands.map(\.name),
                hasTopics: hasTopics
            )
        }
        return outline
    }

    /// Returns the release day from `SOURCE_DATE_EPOCH`, which tools for reproducible builds set.
    private static func releaseDay(_ environment: [String: String]) -> Int? {
        environment["SOURCE_DATE_EPOCH"].flatMap(Int.init)
    }

    private func request(_ given: GivenValues, _ environment: [String: String], width: Int) throws(UsageError)
        -> Request<Action>
    {
        if let action = action(at: given.path) { return .perform(action, given) }
        switch given.path.last {
        case "help":
            return .show(try help(for: given[BuiltIn.topic()], isWhole: hasTopics && given[BuiltIn.all], width: width))
        case "completions": return .show(completions(for: given[BuiltIn.shell]))
        case "manual" where given[BuiltIn.list]: return .show(manualPages().map { $0.fileName + "\n" }.joined())
        case "manual":
            let pages = manualPages(of: Self.releaseDay(environment))
            return .show(try manualPage(given[BuiltIn.page], among: pages).text)
        default: preconditionFailure("a command without an action is a group, and the reader refuses those")
        }
    }

    private func action(at path: [String]) -> Action? {
        path.dropFirst().reduce(root as Command?) { command, name in
            command?.subcommands.first { $0.name == name }
        }?.action
    }

    private func help(for topic: [String], isWhole: Bool, width: Int) throws(UsageError) -> String {
        var command = outline
        if topic == [BuiltIn.optionsTopic], !commonOptions.isEmpty {
            return page(of: command, width: width).commonOptionsText
        }
        for name in topic {
            guard let next = command.subcommand(name) else { throw UsageError.unknownCommand(name, in: command) }
            command = next
        }
        return page(of: command, width: width, isWhole: isWhole).text
    }

    private func page(of command: Outline, width: Int, isWhole: Bool = false) -> HelpPage {
        HelpPage(command, of: outline, width: width, isWhole: isWhole, commonOptions: commonOptions.map(\.shape))
    }

    /// Finds a page by its file name, `huddle-browse.1`, by its name without the section, or by the command alone.
    private func manualPage(_ wanted: String?, among pages: [ManualPage]) throws(UsageError) -> ManualPage {
        guard let wanted else { return pages[0] }
        let names = [wanted, "\(name)-\(wanted)"]
        if let page = pages.first(where: { names.contains($0.name) || $0.fileName == wanted }) { return page }
        throw UsageError.unknownPage(wanted, among: pages.map(\.name))
    }
}

extension UsageError {
    fileprivate static func unknownPage(_ name: String, among names: [String]) -> UsageError {
        let refusal = BadValue(
            name,
            isNot: "a page",
            because: "the manual has no page of that name",
            nextStep: NearestName.of(name, in: names).map { "did you mean “\($0)”?" } ?? "add --list to see the names"
        )
        return badValue(refusal, GivenText(name), for: BuiltIn.page.shape.name)
    }
}
