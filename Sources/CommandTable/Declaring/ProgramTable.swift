/// A whole program: its commands, and the facts that apply to all of them.
///
/// A program with commands also gets `help`, `completions` and `manual`. Each program has `--help` and `--version`.
///
/// `Action` is the type that the program attaches to each command, usually a function.
public struct ProgramTable<Action: Sendable>: Sendable {
    /// The top command of the table. Its options apply to each command.
    public let root: Command<Action>

    /// The version that `--version` prints after the name.
    public let version: String

    /// The section of the program's manual pages: 1 for commands, 8 for daemons.
    public let manualSection: Int

    /// The kinds of names that only the program knows, by the placeholder of a value, such as `PEER`. A shell asks the
    /// program's own command `names` for a kind. The command prints one name a line.
    public let names: [String: String]

    /// The options that many commands accept. The pages of these commands only name them, and `help options` explains
    /// them.
    public let commonOptions: [any DeclaredOption]

    /// - Parameters:
    ///   - root: the program itself as a command: a group, or a single command
    ///   - version: the version, such as `1.2.0`
    ///   - manualSection: 1 for commands, 8 for daemons
    ///   - names: the kinds of names that the command `names` can list, by placeholder
    ///   - commonOptions: the options that many commands accept
    public init(
        _ root: Command<Action>,
        version: String,
        manualSection: Int = 1,
        names: [String: String] = [:],
        commonOptions: [any DeclaredOption] = []
    ) {
        self.root = root
        self.version = version
        self.manualSection = manualSection
        self.names = names
        self.commonOptions = commonOptions
    }

    /// The name of the program.
    public var name: String { root.name }
}
