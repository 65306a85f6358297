import CommandTable
import Household
import LinuxPlatform
import Vocabulary

/// The output of `huddle`, for users and for programs.
///
/// Results go to standard output, everything else to standard error. An error is a line `error: ` with what failed and
/// why, and a line `hint: ` for each step to take. Every other line of standard error begins with `huddle: `. Lines of
/// standard error are in lower case, without a full stop. Redrawn lists and questions appear on a terminal only, and
/// there are no colours. Text from outside is printed as ``PrintableText`` or JSON only.
///
/// A thread of its own waits for the reader. If Ctrl-S holds a terminal, only the output stops.
final class Console: Sendable {
    enum Failure: Error {
        case readerHasGone
    }

    /// True if standard output is a terminal, which can be redrawn.
    let isTerminal: Bool

    /// The least width in columns. In fewer columns, a line would hold a single word, and a file name several lines.
    private static let leastWidth = 40

    private let writer = EventLoop(named: "console")

    init() {
        isTerminal = Terminal.isTerminal(.output)
    }

    /// The number of columns, which changes with the window. Without a terminal it is `COLUMNS` (default: 80).
    var width: Int { Terminal.size(.output)?.columns ?? max(Self.environmentColumns ?? 80, Self.leastWidth) }

    private static let environmentColumns = ProgramLaunch.ownEnvironment["COLUMNS"].flatMap { Int($0) }

    /// The number of lines of the terminal (default: 24).
    var height: Int { Terminal.size(.output)?.lines ?? 24 }

    /// Prints a result.
    func print(_ text: String, terminator: String = "\n") async throws {
        try await write(text + terminator, to: .output)
    }

    /// Writes bytes as they are. Bytes from outside may go to pipes and files, but never to a terminal.
    func hand(on bytes: [UInt8]) async throws {
        let failure = await writer.performing { Terminal.write(bytes, to: .output) }
        if let failure {
            throw failure.isBrokenPipe ? Failure.readerHasGone : failure
        }
    }

    /// Prints a remark, which is neither a result nor an error.
    func complain(_ message: String) async { await write(toErrors: "huddle: \(message)") }

    /// Prints an error: what failed and why, and the steps to take.
    func report(_ error: any Error) async { await report(PassedOnError(error).lines) }

    /// Prints the lines of an error.
    func report(_ lines: [String]) async { await write(toErrors: lines.joined(separator: "\n")) }

    /// Writes to standard error: to a terminal in lines that fit, to a program unchanged.
    ///
    /// The text is escaped here, though its parts are printable already. The message of a library may hold bytes from
    /// an untrusted database.
    private func write(toErrors message: String) async {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        let printable = lines.map { "\(PrintableText(prose: String($0), limit: .max))" }
        let text = Self.fitted(printable.joined(separator: "\n"), to: .errors)
        // If standard error is closed, the message has no reader.
        try? await write(text + "\n", to: .errors)
    }

    /// Prints a sentence or a list for the user in lines that fit.
    func say(_ text: String) async throws { try await print(fitted(text)) }

    /// Breaks a result into lines that fit a terminal, or `COLUMNS` if that is set. For other programs it stays
    /// unchanged.
    func fitted(_ text: String) -> String { Self.fitted(text, to: .output) }

    /// Breaks a row of a table into lines that fit, also in a pipe: users read the table there, too, while programs
    /// read JSON.
    func fittedRow(_ text: String) -> String { TextLayout.folded(text, width: max(width, Self.leastWidth)) }

    private static func fitted(_ text: String, to channel: Terminal.Channel) -> String {
        let columns = Terminal.isTerminal(channel) ? Terminal.size(channel)?.columns ?? 80 : environmentColumns
        return columns.map { TextLayout.folded(text, width: max($0, leastWidth)) } ?? text
    }

    /// Prints a question to standard error. The user answers on the same line.
    func ask(_ question: String) async { try? await write(question, to: .errors) }

    /// Waits until the reader of the results has closed the pipe, as after “| head -1”, and then throws. A file or a
    /// terminal has no such reader, so this waits until it is cancelled.
    func readerLeaves() async throws {
        try await Terminal.readerLeaves(.output, on: .shared)
        throw Failure.readerHasGone
    }

    private func write(_ text: String, to channel: Terminal.Channel) async throws {
        let failure = await writer.performing { Terminal.write(text, to: channel) }
        if let failure {
            throw failure.isBrokenPipe ? Failure.readerHasGone : failure
        }
    }
}
