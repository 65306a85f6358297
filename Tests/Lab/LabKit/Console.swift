import LinuxPlatform

/// Lines for whoever started the program: results to standard output, everything else to standard error.
public enum Console {
    /// A result. When nobody reads any more, nobody can be told so.
    public static func say(_ line: String) {
        _ = Terminal.write("\(line)\n", to: .output)
    }

    /// Something beside the result: lower case, no full stop, with what can be done about it.
    public static func note(_ line: String) {
        _ = Terminal.write("lab: \(line)\n", to: .errors)
    }
}
