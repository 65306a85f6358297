/// An exit code and what it means. Codes are for scripts, so a meaning never changes.
public struct ExitCode: Hashable, Sendable {
    /// What the program exits with.
    public let number: UInt8

    /// What that says: no capital, no full stop.
    public let meaning: String

    /// - Parameters:
    ///   - number: what the program exits with
    ///   - meaning: what that says
    public init(_ number: UInt8, _ meaning: String) {
        self.number = number
        self.meaning = meaning
    }

    /// The command did what it was asked.
    public static let success = ExitCode(0, "all went well")

    /// The command line was wrong; nothing was done.
    public static let usage = ExitCode(2, "the command line was wrong and nothing was done")
}
