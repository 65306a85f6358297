import LinuxPlatform
import Vocabulary

/// The questions that wait for the person at this terminal: one is shown at a time, and each can be taken back.
@Engine
final class Questions {
    /// Something to be answered with a line.
    struct Question {
        let invitation: String
        let text: String
        /// Takes the line, and says whether it was an answer; else the question is put again.
        let take: @Engine (String) async -> Bool
    }

    private let report: SessionReport
    private var waiting: [Question] = []

    init(_ report: SessionReport) {
        self.report = report
    }

    /// Counts a line that comes from now on as an answer, so that whoever answers what was just told is not too early.
    func expectAnswer(to question: Question) {
        // It comes once more where this person invites the same machine.
        waiting.removeAll { $0.invitation == question.invitation }
        waiting.append(question)
    }

    /// Shows a question, if it is its turn.
    func show(_ invitation: String) async throws {
        if let first = waiting.first, first.invitation == invitation { try await report.ask(first.text) }
    }

    /// It needs no answer any more.
    func takeBack(_ invitation: String?) async throws {
        guard let place = waiting.firstIndex(where: { $0.invitation == invitation }) else { return }
        waiting.remove(at: place)
        guard place == 0 else { return }
        if !waiting.isEmpty { return try await report.ask(waiting[0].text) }
        try await report.ask(nil)
    }

    /// Takes back what nobody needs to answer any more.
    func close() async throws {
        waiting = []
        try await report.ask(nil)
    }

    /// Takes lines until the end of the input; answers whether it has come to that.
    func read() async throws {
        var lines = TypedLines()
        while let line = try await lines.next() {
            guard let current = waiting.first else { continue }
            await report.wasAnswered()
            let isAnswer = await current.take(line)
            // It may have been taken back meanwhile.
            if isAnswer, waiting.first?.invitation == current.invitation { waiting.removeFirst() }
            if let next = waiting.first { try await report.ask(next.text) }
        }
    }
}
