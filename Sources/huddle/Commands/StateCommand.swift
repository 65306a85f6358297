import CommandTable

/// `huddle state`: what is in a save, whoever made it.
enum StateCommand {
    static let row = Command<CommandAction>(
        group: "state",
        summary: "look into saves, change them, convert them, compare them",
        discussion: """
            A save may be a property list (binary or XML), a keyed archive, JSON, XML, or a table of high scores in SQLite; \
            its first bytes say which. Whoever made it, reading it is safe: it is checked within limits, and of a keyed \
            archive only plain values and the classes of known games are let in, and those that --allow names.

            Places in a save are written like people[0].height; odd keys stand in quotes, people["first name"], and [-1] is \
            the last element.
            """,
        examples: [
            Example("huddle state show castle.save", "everything that is in it"),
            Example("huddle state check *.save", "whether saves are sound"),
        ],
        exitCodes: ExitCode.opening + [.inexpressible, .unreachable, .different, .undecided],
        subcommands: [
            StateShowCommand.row, StateGetCommand.row, StateSetCommand.row, StateConvertCommand.row,
            StateCheckCommand.row, StateDiffCommand.row, StateMergeCommand.row, StateSummaryCommand.row,
            StatePushCommand.row,
        ]
    )
}
