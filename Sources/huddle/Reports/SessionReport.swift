import LinuxPlatform
import SessionRules
import Vocabulary

/// What the commands that speak with peers print: lines or JSON objects, and on a terminal, below them, how far transfers are
/// and the question that waits for an answer.
actor SessionReport {
    private let console: Console
    private let json: JSONReport?
    private let bytesGoOut: Bool
    private var bars: [Int: String] = [:]
    private var question: String?
    private var drawnBars = 0

    /// - Parameter bytesGoOut: standard output belongs to a stream, so what is told goes to standard error
    init(asJSON: Bool, bytesGoOut: Bool = false, _ console: Console) {
        self.console = console
        self.bytesGoOut = bytesGoOut
        json = asJSON && !bytesGoOut ? JSONReport(console) : nil
    }

    /// Whether somebody looks at how far things are.
    var showsBars: Bool { json == nil && !bytesGoOut && console.isTerminal }

    func tell(_ news: SessionNews) async throws {
        if let json { return try await json.print(news) }
        guard let sentence = news.sentence else { return }
        if bytesGoOut { return await console.complain(sentence) }
        try await redraw(above: sentence)
    }

    /// What went wrong and does not end the command.
    func complain(_ message: String) async {
        if showsBars { try? await erase() }
        await console.complain(message)
        if showsBars { try? await redraw(above: nil) }
    }

    /// Shows or changes a line below; nil removes it.
    func show(_ line: String?, for transfer: Int) async throws {
        guard showsBars, bars[transfer] != line else { return }
        bars[transfer] = line
        if question == nil { try await redraw(above: nil) }
    }

    /// Puts a question to the person, who answers on the same line. Until it is taken back, nothing moves below it.
    func ask(_ text: String?) async throws {
        // Programs have the code from the news before it.
        guard json == nil, !bytesGoOut else { return }
        let old = question
        question = text
        guard console.isTerminal else {
            if let text { try await console.print(text) }
            return
        }
        if let text {
            try await erase()
            try await console.print(text, terminator: "")
        } else if old != nil {
            // What comes next does not belong behind the question.
            try await console.print("")
            try await redraw(above: nil)
        }
    }

    /// The person's answer has ended the question's line.
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
        // A question that waits is asked again below what happened.
        if question != nil, sentence != nil { text += "\r\u{1B}[J" }
        if let sentence { text += sentence + "\n" }
        let lines = question == nil ? bars.sorted { $0.key < $1.key }.map(\.value) : []
        for line in lines { text += "\u{1B}[?7l\(line)\n\u{1B}[?7h" }
        drawnBars = lines.count
        if let question, sentence != nil { text += question }
        if !text.isEmpty { try await console.print(text, terminator: "") }
    }
}
