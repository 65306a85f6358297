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

    /// - Parameters:
    ///   - root: the program itself as a command: a group, or a single command that stands alone
    ///   - version: such as `1.2.0`
    ///   - manualSection: 1 for commands, 8 for daemons
    public init(_ root: Command<Action>, version: String, manualSection: Int = 1) {
        self.root = root
        self.version = version
        self.manualSection = manualSection
    }

    /// The name by which it is called.
    public var name: String { root.name }
}
