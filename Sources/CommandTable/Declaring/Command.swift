/// One row of the table: a command, what it takes, and how it is explained.
///
/// ```swift
/// enum BrowseCommand {
///     static let type = Option("type", short: "t", .serviceType, default: .huddle, help: "kind of service to look for")
///     static let limit = Option("for", .duration, help: "stop after this long")
///     static let json = Flag("json", help: "print one JSON object a line")
///
///     static let row = Command<Run>(
///         "browse",
///         summary: "show the peers on this network as they come and go",
///         options: [type, limit, json],
///         examples: [Example("huddle browse --for 5s", "look for five seconds")],
///         action: run
///     )
///
///     static func run(_ given: GivenValues) async throws {
///         let type = given[type]  // ServiceType
///         let limit = given[limit]  // Duration?
///     }
/// }
/// ```
public struct Command<Action: Sendable>: Sendable {
    /// What is typed.
    public let name: String

    /// What it does, as a phrase that begins with a verb: no capital, no full stop.
    public let summary: String

    /// What the summary leaves open. A blank line ends a paragraph; indented lines stay as they are.
    public let discussion: String

    /// What stands after the command, in order.
    public let arguments: [any DeclaredArgument]

    /// What may be given by name. Those of a group hold for all its commands.
    public let options: [any DeclaredOption]

    /// Command lines to learn from.
    public let examples: [Example]

    /// The exit codes that mean something particular here.
    public let exitCodes: [ExitCode]

    /// The commands of a group, or of a command that also does something itself; empty for all others.
    public let subcommands: [Command]

    /// What the program finds beside the command; a group has none.
    public let action: Action?

    /// The heading under which the whole list has it; nil for one that the short list has as well.
    public private(set) var topic: String?

    /// The command under a heading of the whole list.
    public func filed(under topic: String) -> Command {
        var command = self
        command.topic = topic
        return command
    }

    /// A command that does something. Where it has subcommands as well, a first word that names one of them is that command.
    ///
    /// It has more parameters than other functions may have because a row of a table names its columns.
    public init(
        _ name: String,
        summary: String,
        discussion: String = "",
        arguments: [any DeclaredArgument] = [],
        options: [any DeclaredOption] = [],
        examples: [Example] = [],
        exitCodes: [ExitCode] = [],
        subcommands: [Command] = [],
        action: Action
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.examples = examples
        self.exitCodes = exitCodes
        self.subcommands = subcommands
        self.action = action
    }

    /// A command that only holds others, such as `policy` in `policy set`.
    public init(
        group name: String,
        summary: String,
        discussion: String = "",
        options: [any DeclaredOption] = [],
        examples: [Example] = [],
        exitCodes: [ExitCode] = [],
        subcommands: [Command]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = []
        self.options = options
        self.examples = examples
        self.exitCodes = exitCodes
        self.subcommands = subcommands
        self.action = nil
    }
}
