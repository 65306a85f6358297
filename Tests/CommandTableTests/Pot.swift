import CommandTable

/// A table so small that a test can show all of its output.
enum Pot {
    static let table = ProgramTable(
        Command(
            group: "pot",
            summary: "keep things warm",
            options: [Flag("quiet", short: "q", help: "say nothing")],
            subcommands: [
                Command(
                    "heat",
                    summary: "make it warm",
                    arguments: [Argument("FILE", .file, help: "what's in it")],
                    options: [
                        Option(
                            "level",
                            short: "l",
                            .oneOf(["low", "high"]),
                            default: "low",
                            help: "how warm [or hot]"
                        ),
                        Option("for", .duration, environment: "POT_FOR", help: "how long"),
                    ],
                    examples: [Example("pot heat soup -l high", "heat the soup")],
                    exitCodes: [.success],
                    action: ()
                )
            ]
        ),
        version: "1.0"
    )
}
