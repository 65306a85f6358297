import Household
import LinuxPlatform
import SessionRules
import Vocabulary

/// The output of commands that follow the daemon's events: lines or JSON objects. On a terminal, the progress of
/// transfers and the open question are below them.
actor SessionReport {
    private let console: Console
    private let json: JSONReport?
    private let bytesGoOut: Bool
    private let silent: Set<String>
    private let isTable: Bool
    private var bars: [Int: Bar] = [:]
    private var question: String?
    private var drawnBars = 0

    private struct Bar {
        let title: String
        var progress: TransferProgress
        var line = ""
    }

    /// - Parameters:
    ///   - bytesGoOut: true if standard output belongs to a stream, so that events go to standard error
    ///   - silent: the names of events that are not printed
    ///   - isTable: true if the events are rows of a table, which fit 80 columns also in a pipe
    init(
        asJSON: Bool,
        bytesGoOut: Bool = false,
        silentAbout silent: Set<String> = [],
        isTable: Bool = false,
        _ console: Console
    ) {
        self.isTable = isTable
        self.console = console
        self.bytesGoOut = bytesGoOut
        self.silent = silent
        json = asJSON && !bytesGoOut ? JSONReport(console) : nil
        isForUser = !asJSON && !bytesGoOut
    }

    /// True if a user reads the output, and not a program.
    nonisolated let isForUser: Bool

    /// True if the output shows the progress of transfers.
    private var showsBars: Bool { json == nil && !bytesGoOut && console.isTerminal }

    func tell(_ line: DaemonLine) async throws {
        var progress: TransferProgressEvent?
        if showsBars, case .progress(let event) = line.event { progress = event }
        if showsBars, progress == nil, let bar = line.event.transfer { bars[bar] = nil }
        if line.isTrouble, let sentence = line.sentence {
            if let fault = line.event.problem {
                await report(fault.lines(about: sentence))
            } else {
                await complain(sentence)
            }
        }
        if let json {
            // A fault that belongs to no event goes to standard error only.
            if case .trouble = line.event { return }
            return try await json.print(line)
        }
        if let progress { return try await show(progress) }
        guard let sentence = line.sentence, !line.isTrouble, !silent.contains(line.name) else { return }
        if bytesGoOut { return await console.complain(sentence) }
        try await redraw(above: sentence)
    }

    /// Prints a sentence for the user. With JSON, or if standard output belongs to a stream, prints nothing.
    func say(_ sentence: String) async throws {
        guard json == nil, !bytesGoOut else { return }
        try await redraw(above: sentence)
    }

    /// Prints a remark, which is neither a result nor an error.
    func complain(_ message: String) async {
        if showsBars { try? await erase() }
        await console.complain(message)
        if showsBars { try? await redraw(above: nil) }
    }

    /// Prints an error that does not end the command.
    func report(_ error: any Error) async { await report(PassedOnError(error).lines) }

    /// Prints the lines of an error that does not end the command.
    func report(_ lines: [String]) async {
        if showsBars { try? await erase() }
        await console.report(lines)
        if showsBars { try? await redraw(above: nil) }
    }

    /// Reports how far each transfer was when the user interrupted the command, and how to continue.
    func tellInterruption() async {
        let ended = bars.sorted { $0.key < $1.key }.map(\.value)
        try? await erase()
        bars = [:]
        let places = ended.map { " \($0.title) at \(Int($0.progress.fraction * 100)) %." }.joined()
        await console.complain(
            "Interrupted.\(places) What has arrived is kept: run the same command again, and it continues there."
        )
    }

    private func show(_ event: TransferProgressEvent) async throws {
        let (number, done) = (event.transfer, event.done)
        if bars[number] == nil {
            bars[number] = Bar(title: Self.title(event), progress: TransferProgress(total: event.total, at: .now))
            // Bytes that this machine had before the command began would make the speed wrong.
            bars[number]?.progress.resume(from: done, at: .now)
        }
        bars[number]?.progress.moved(to: done, at: .now)
        guard let bar = bars[number] else { return }
        let line = ProgressPicture(bar.title, bar.progress, width: console.width).line
        guard line != bar.line else { return }
        bars[number]?.line = line
        if question == nil { try await redraw(above: nil) }
    }

    private static func title(_ event: TransferProgressEvent) -> String {
        let (name, peer) = (PrintableText(event.name), event.machine)
        return event.direction == .receiving ? "\(peer) → \(name)" : "\(name) → \(peer)"
    }

    /// Asks the user, who answers on the same line. nil takes the question back. While a question is open, no progress
    /// is drawn.
    func ask(_ text: String?) async throws {
        // Programs learn of the question from the event before it.
        guard json == nil, !bytesGoOut else { return }
        let old = question
        question = text
        // The user may have typed text for a question that was taken back. It would answer the next question, or be a
        // command for the shell.
        if old != nil, old != text { Terminal.discardInput() }
        guard console.isTerminal else {
            if let text { try await console.print(text) }
            return
        }
        if let text {
            try await erase()
            try await console.print(text, terminator: "")
        } else if old != nil {
            // The next line must not begin after the question, on its line.
            try await console.print("")
            try await redraw(above: nil)
        }
    }

    /// Forgets the question. The user's answer has ended its line.
    func wasAnswered() { question = nil }

    private func erase() async throws {
        guard drawnBars > 0 else { return }
        let count = drawnBars
        drawnBars = 0
        try await console.print("\u{1B}[\(count)A\r\u{1B}[J", terminator: "")
    }

    private func redraw(above sentence: String?) async throws {
        var text = drawnBars > 0 ? "\u{1B}[\(drawnBars)A\r\u{1B}[J" : ""
        let question = console.isTerminal ? question : nil
        // Text above the question is printed over it, so the question is printed again below.
        if question != nil, sentence != nil { text += "\r\u{1B}[J" }
        if let sentence { text += (isTable ? console.fittedRow(sentence) : console.fitted(sentence)) + "\n" }
        let lines = question == nil ? bars.sorted { $0.key < $1.key }.map(\.value.line) : []
        for line in lines { text += "\u{1B}[?7l\(line)\n\u{1B}[?7h" }
        drawnBars = lines.count
        if let question, sentence != nil { text += question }
        if !text.isEmpty { try await console.print(text, terminator: "") }
    }
}
