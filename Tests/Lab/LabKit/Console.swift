import LinuxPlatform

/// Output lines of the program: results go to standard output, everything else to standard error.
public enum Console {
    /// Prints a result. A failed write has no reader who could learn of it.
    public static func say(_ line: String) {
        _ = Terminal.write("\(line)\n", to: .output)
    }

    /// Prints a remark: lower case, no full stop, with the next step.
    public static func note(_ line: String) {
        _ = Terminal.write("lab: \(line)\n", to: .errors)
    }
}
