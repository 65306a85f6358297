/// What a command line asks for.
public enum Request<Action: Sendable>: Sendable {
    /// Do what the command is for.
    case perform(Action, GivenValues)

    /// Print this text on standard output and leave with code 0: help, the version, completions or a manual page. It
    /// ends with a newline.
    case show(String)
}
