/// An exit code and its meaning. Codes are for scripts, so a meaning never changes.
public struct ExitCode: Hashable, Sendable {
    /// The exit status of the program.
    public let number: UInt8

    /// The meaning: no capital, no full stop.
    public let meaning: String

    /// - Parameters:
    ///   - number: the exit status of the program
    ///   - meaning: the meaning: no capital, no full stop
    public init(_ number: UInt8, _ meaning: String) {
        self.number = number
        self.meaning = meaning
    }

    /// The command succeeded.
    public static let success = ExitCode(0, "all went well")

    /// The command line was wrong; the command did nothing.
    public static let usage = ExitCode(2, "the command line was wrong and nothing was done")
}
