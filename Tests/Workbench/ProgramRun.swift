/// The output and the ending of a program.
public struct ProgramRun: Sendable {
    /// The ending of a program.
    public enum Ending: Hashable, Sendable {
        /// By itself, with this code.
        case exit(Int)
        /// By a signal.
        case signal(Int)
        /// By a kill of it and all its children after the deadline.
        case deadline
    }

    /// Its ending.
    public let ending: Ending
    /// Its standard output.
    public let output: String
    /// Its standard error.
    public let complaint: String

    /// Runs a program, waits for its end and collects its output.
    ///
    /// - Parameters:
    ///   - words: the program's path or name, then its arguments
    ///   - folder: its working directory
    ///   - environment: all of its variables
    ///   - deadline: the longest time that it may take
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
