/// The result of reading a command line.
public enum Request<Action: Sendable>: Sendable {
    /// Perform the command's action.
    case perform(Action, GivenValues)

    /// Print this text on standard output, and exit with code 0. The text is help, the version, completions or a manual
    /// page, and ends with a newline.
    case show(String)
}
