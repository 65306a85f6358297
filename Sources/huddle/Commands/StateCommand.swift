import CommandTable

/// `huddle state`: show and change files of saves from any source.
enum StateCommand {
    static let row = Command<CommandAction>(
        group: "state",
        summary: "show, change, convert and compare the files of saves",
        discussion: """
            A save can be a property list (binary or XML), a keyed archive, JSON, XML, or a table of high scores in \
            SQLite; its first bytes tell which. Reading it is safe, whatever its source: it is checked within limits. \
            Of a keyed archive only plain values, the classes of known games and those of --allow are accepted.

            Places in a save are written like people[0].height; unusual keys are in quotes, people["first name"], and \
            [-1] is the last element.
            """,
        examples: [
            Example("huddle state show castle.save", "all its values"),
            Example("huddle state check *.save", "all saves of a folder"),
        ],
        exitCodes: ExitCode.opening + [.inexpressible, .unreachable, .different, .undecided],
        subcommands: [
            StateShowCommand.row, StateGetCommand.row, StateSetCommand.row, StateConvertCommand.row,
            StateCheckCommand.row, StateDiffCommand.row, StateMergeCommand.row, StateSummaryCommand.row,
            StatePushCommand.row,
        ]
    )
}
