import CLinux
import Glibc

/// A program to start, and its surroundings.
public struct ProgramLaunch: Sendable {
    /// The target of one of the three standard descriptors of a program.
    public enum Stream: Sendable, Hashable {
        /// The same target as this program's.
        case inherited
        /// `/dev/null`.
        case null
        /// A pipe to this program.
        case pipe
        /// An open file that is lent for the start and stays with its owner.
        case descriptor(CInt)
    }

    /// A path, or a name to look up in this program's `PATH`.
    public var program: String

    /// The arguments after the program's name.
    public var arguments: [String]

    /// The whole environment; nil passes this program's on.
    public var environment: [String: String]?

    /// The working folder; nil passes this program's on.
    public var folder: String?

    /// The source of the program's input.
    public var standardInput = Stream.null

    /// The target of the program's results.
    public var standardOutput = Stream.inherited

    /// The target of the program's error messages.
    public var standardError = Stream.inherited

    /// True if the program leaves this terminal and process group, so that a Ctrl-C for this program does not reach it.
    public var startsSession = false

    /// True if it leaves this session, and its end kills the programs that it left behind in its own session. A program
    /// that leaves that session in turn lives on.
    public var takesOthersAlong = false

    /// - Parameters:
    ///   - program: a path, or a name to look up in `PATH`
    ///   - arguments: the arguments after the program's name
    public init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// The raw arguments of this program, without its name: the name of a file may be any bytes.
    public static var ownWords: [[UInt8]] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { place in
            CommandLine.unsafeArgv[place].map { word in (0..<strlen(word)).map { UInt8(bitPattern: word[$0]) } }
        }
    }

    /// The environment of this program, as far as it is text.
    public static var ownEnvironment: [String: String] {
        var result: [String: String] = [:]
        var next = huddle_environment()
        while let entry = next?.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                result[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next = next?.advanced(by: 1)
        }
        return result
    }
}
