/// A whole program: its commands, and what is said once for all of them.
///
/// A program that has commands also gets `help`, `completions` and `manual`; each program has `--help` and `--version`.
///
/// `Action` is whatever the program wants to find beside a command once a command line is read, usually a function.
public struct ProgramTable<Action: Sendable>: Sendable {
    /// The top of the table. Its options are those of every command.
    public let root: Command<Action>

    /// The version, as `--version` prints it after the name.
    public let version: String

    /// Where the program's manual pages stand: 1 for commands, 8 for daemons.
    public let manualSection: Int

    /// By the placeholder of a value that a shell can't know, such as `PEER`: what the program's own command `names` calls such names when
    /// it prints them, one a line.
    public let names: [String: String]

    /// - Parameters:
    ///   - root: the program itself as a command: a group, or a single command that stands alone
    ///   - version: such as `1.2.0`
    ///   - manualSection: 1 for commands, 8 for daemons
    ///   - names: what the command `names` can list, by placeholder
    public init(
        _ root: Command<Action>,
        version: String,
        manualSection: Int = 1,
        names: [String: String] = [:]
    ) {
        self.root = root
        self.version = version
        self.manualSection = manualSection
        self.names = names
    }

    /// The name by which it is called.
    public var name: String { root.name }
}
