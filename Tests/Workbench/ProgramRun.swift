/// A program that ran to its end: what it printed and how it ended.
public struct ProgramRun: Sendable {
    /// How a program ended.
    public enum Ending: Hashable, Sendable {
        /// By itself, with this code.
        case exit(Int)
        /// By a signal.
        case signal(Int)
        /// By being killed, with all its children, after the deadline.
        case deadline
    }

    /// How it ended.
    public let ending: Ending
    /// What it wrote to standard output.
    public let output: String
    /// What it wrote to standard error.
    public let complaint: String

    /// Runs a program, waits for it and collects what it prints.
    ///
    /// - Parameters:
    ///   - words: the program's path or name, then its arguments
    ///   - folder: where it runs
    ///   - environment: all of its variables
    ///   - deadline: how long it may take
    public init(
        _ words: [String],
        in folder: String = "/",
        environment: [String: String] = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
        deadline: Duration = .seconds(30)
    ) throws {
        let child = try Spawned(words, in: folder, environment: environment)
        let collected = child.collect(until: .now + deadline)
        ending = collected.ending
        output = String(decoding: collected.output, as: UTF8.self)
        complaint = String(decoding: collected.complaint, as: UTF8.self)
    }
}
