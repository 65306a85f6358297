/// One row of the table: a command, its options and arguments, and its help.
///
/// ```swift
/// enum BrowseCommand {
///     static let type = Option("type", short: "t", .serviceType, default: .huddle, help: "kind of service to find")
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
    /// The name that the user types.
    public let name: String

    /// The purpose, as a phrase that begins with a verb: no capital, no full stop.
    public let summary: String

    /// More help below the summary. A blank line ends a paragraph; indented lines stay as they are.
    public let discussion: String

    /// The positional arguments, in order.
    public let arguments: [any DeclaredArgument]

    /// The options. The options of a group apply to all its commands.
    public let options: [any DeclaredOption]

    /// Example command lines.
    public let examples: [Example]

    /// The exit codes with a particular meaning for this command.
    public let exitCodes: [ExitCode]

    /// The subcommands, if any.
    public let subcommands: [Command]

    /// The action of the program for this command; nil for a group.
    public let action: Action?

    /// The heading of this command in the complete list; nil if the command is in the short list.
    public private(set) var topic: String?

    /// Returns the same command under a heading of the complete list.
    public func filed(under topic: String) -> Command {
        var command = self
        command.topic = topic
        return command
    }

    /// Creates a command with an action. If it also has subcommands, a first word that names one of them selects that
    /// subcommand.
    ///
    /// It has more parameters than other functions may have, because each parameter names a column of the table.
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

    /// Creates a command that only has subcommands, such as `policy` in `policy set`.
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
