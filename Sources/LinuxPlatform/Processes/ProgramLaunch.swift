import CLinux
import Glibc

/// What to start, and with which surroundings.
public struct ProgramLaunch: Sendable {
    /// Where one of the three standard descriptors of a program leads.
    public enum Stream: Sendable, Hashable {
        /// To where ours leads.
        case inherited
        /// To `/dev/null`.
        case null
        /// To us.
        case pipe
        /// To an open file that is lent for the start and stays its owner's.
        case descriptor(CInt)
    }

    /// A path, or a name to be looked up in our own `PATH`.
    public var program: String

    /// The words after the program's name.
    public var arguments: [String]

    /// The whole environment; nil hands our own on.
    public var environment: [String: String]?

    /// The working folder; nil hands our own on.
    public var folder: String?

    /// What the program reads.
    public var standardInput = Stream.null

    /// Where the program's results go.
    public var standardOutput = Stream.inherited

    /// Where the program's complaints go.
    public var standardError = Stream.inherited

    /// Whether the program leaves our terminal and process group, so that a Ctrl-C meant for us does not reach it.
    public var startsSession = false

    /// Whether it leaves our session, and what it has started and left behind in its own is killed when it ends. Who leaves that
    /// session in turn goes on.
    public var takesOthersAlong = false

    /// - Parameters:
    ///   - program: a path, or a name to be looked up in `PATH`
    ///   - arguments: the words after the program's name
    public init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// The words that we were called with ourselves, behind our name, as they came: the name of a file may be any bytes.
    public static var ownWords: [[UInt8]] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { place in
            CommandLine.unsafeArgv[place].map { word in (0..<strlen(word)).map { UInt8(bitPattern: word[$0]) } }
        }
    }

    /// Our own environment, as far as it is text.
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
