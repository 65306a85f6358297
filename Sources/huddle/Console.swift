import CommandTable
import Household
import LinuxPlatform
import Vocabulary

/// How `huddle` speaks to people and programs.
///
/// The rules: results go to standard output, all else to standard error. An error is a line `error: ` with what failed and why, and a line
/// `hint: ` for each thing to do. Everything else has `huddle: ` before it. All of it is in lower case, without a full stop. Redrawn lists and questions only on a terminal, and no colours anywhere. Nothing that came from outside is printed
/// except as ``PrintableText`` or JSON.
///
/// Writing waits for the reader, on a thread that nothing else needs: a terminal that is held with Ctrl-S holds up the
/// output and nothing more.
final class Console: Sendable {
    enum Failure: Error {
        case readerHasGone
    }

    /// Whether standard output is a terminal, so that it can be redrawn.
    let isTerminal: Bool

    /// No narrower: words would stand alone, and names of files be on several lines.
    private static let leastWidth = 40

    private let writer = EventLoop(named: "console")

    init() {
        isTerminal = Terminal.isTerminal(.output)
    }

    /// The number of columns, which changes with the window. Without a terminal it is 80, or what `COLUMNS` says.
    var width: Int { Terminal.size(.output)?.columns ?? max(environmentColumns ?? 80, Self.leastWidth) }

    private let environmentColumns = ProgramLaunch.ownEnvironment["COLUMNS"].flatMap { Int($0) }

    /// How many lines there are.
    var height: Int { Terminal.size(.output)?.lines ?? 24 }

    /// Prints a result.
    func print(_ text: String, terminator: String = "\n") async throws {
        try await write(text + terminator, to: .output)
    }

    /// Hands bytes on as they are. Where they come from outside, this is for pipes and files, never for a terminal.
    func hand(on bytes: [UInt8]) async throws {
        let failure = await writer.performing { Terminal.write(bytes, to: .output) }
        if let failure {
            throw failure.isBrokenPipe ? Failure.readerHasGone : failure
        }
    }

    /// A remark that is no result and no error.
    func complain(_ message: String) async { await write(toErrors: "huddle: \(message)") }

    /// What failed and why, and what to do.
    func report(_ error: any Error) async { await report(PassedOnError(error).lines) }

    /// The lines of an error.
    func report(_ lines: [String]) async { await write(toErrors: lines.joined(separator: "\n")) }

    /// To a terminal in lines that fit, to a program as it is.
    ///
    /// Its parts are printable. A library's words may not be, such as those on a stranger's
    /// database.
    private func write(toErrors message: String) async {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        let printable = lines.map { "\(PrintableText(prose: String($0), limit: .max))" }
        let text = Self.fitted(printable.joined(separator: "\n"), to: .errors)
        // Where standard error is closed there is nobody left to tell.
        try? await write(text + "\n", to: .errors)
    }

    /// A result in lines that fit a terminal; for a program as it is.
    func fitted(_ text: String) -> String { Self.fitted(text, to: .output) }

    /// A row of a table in lines that fit, also in a pipe: there it is read by people, and programs read JSON.
    func fittedRow(_ text: String) -> String { TextLayout.folded(text, width: max(width, Self.leastWidth)) }

    private static func fitted(_ text: String, to channel: Terminal.Channel) -> String {
        guard Terminal.isTerminal(channel) else { return text }
        let width = Terminal.size(channel)?.columns ?? 80
        return TextLayout.folded(text, width: max(width, leastWidth))
    }

    /// Puts a question on standard error; the answer comes on the same line.
    func ask(_ question: String) async { try? await write(question, to: .errors) }

    /// Waits until nobody reads the results any more, as after “| head -1”; then it throws. Files and terminals have no reader
    /// who could leave: there it waits for ever.
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
