extension ProgramTable {
    /// The mistakes in the table itself. A program's tests expect none.
    ///
    /// They are duplicate names on one line, names that the user can't type, and arguments that could be split in
    /// several ways. Commands without an example and texts that break the style of the table are mistakes, too.
    public var faults: [String] {
        outline.all.flatMap { command in
            (Self.nameFaults(command) + Self.argumentFaults(command) + Self.textFaults(command)).map {
                "\(command.typed): \($0)"
            }
        }
    }

    private static func nameFaults(_ command: Outline) -> [String] {
        let forms = command.completedOptions.flatMap(\.forms)
        let names = command.path + command.subcommands.map(\.name) + command.completedOptions.map(\.name)
        return twice(forms).map { "\($0) is listed twice" }
            + twice(command.subcommands.map(\.name)).map { "the command \($0) is listed twice" }
            + twice(command.arguments.map(\.shape.name)).map { "the argument \($0) is listed twice" }
            + names.filter { !canBeTyped($0) }.map { "\($0) is no name: use small letters, digits and hyphens" }
    }

    private static func argumentFaults(_ command: Outline) -> [String] {
        let shapes = command.arguments.map(\.shape).filter { !$0.followsDashes }
        let open = shapes.filter { $0.minimum != $0.maximum }
        return open.count > 1 ? ["only one of \(open.map(\.name).joined(separator: ", ")) may vary in number"] : []
    }

    private static func textFaults(_ command: Outline) -> [String] {
        let phrases =
            [command.summary] + command.options.map(\.shape.help) + command.arguments.map(\.shape.help)
            + command.examples.map(\.explanation) + command.exitCodes.map(\.meaning)
        let hasNoExample = command.subcommands.isEmpty && command.examples.isEmpty
        let rule = "should be a phrase: no full stop, no line break, not empty"
        return phrases.filter { !isPhrase($0) }.map { "“\($0)” \(rule)" }
            + (hasNoExample ? ["it has no example"] : [])
            + command.examples.filter { !$0.line.contains(command.typed) }.map { "“\($0.line)” is no example of it" }
    }

    private static func isPhrase(_ text: String) -> Bool {
        !text.isEmpty && !text.hasSuffix(".") && !text.contains("\n")
    }

    private static func canBeTyped(_ name: String) -> Bool {
        name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isWholeNumber || $0 == "-") }
    }

    private static func twice(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }
    }
}
