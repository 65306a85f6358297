import LinuxPlatform
import Vocabulary

/// The questions that wait for the user at this terminal. It shows one at a time, and can take each back.
@Engine
final class Questions {
    /// A question that the user answers with one line.
    struct Question {
        let invitation: String
        let text: String
        /// Handles the line. Returns false if the line was no answer, so that the question is shown again.
        let handle: @Engine (String) async -> Bool
    }

    private let report: SessionReport
    private var waiting: [Question] = []

    init(_ report: SessionReport) {
        self.report = report
    }

    /// Accepts lines as answers from now on. A quick answer to a question that was just printed is then not too early.
    func expectAnswer(to question: Question) {
        // The same question arrives twice if this user also invites that machine.
        waiting.removeAll { $0.invitation == question.invitation }
        waiting.append(question)
    }

    /// Shows a question if no other question comes before it.
    func show(_ invitation: String) async throws {
        if let first = waiting.first, first.invitation == invitation { try await report.ask(first.text) }
    }

    /// Removes a question that needs no answer now.
    func takeBack(_ invitation: String?) async throws {
        guard let place = waiting.firstIndex(where: { $0.invitation == invitation }) else { return }
        waiting.remove(at: place)
        guard place == 0 else { return }
        if !waiting.isEmpty { return try await report.ask(waiting[0].text) }
        try await report.ask(nil)
    }

    /// Removes all questions.
    func close() async throws {
        waiting = []
        try await report.ask(nil)
    }

    /// Handles lines until the end of the input.
    func read() async throws {
        var lines = TypedLines()
        while let line = try await lines.next() {
            guard let current = waiting.first else { continue }
            await report.wasAnswered()
            let isAnswer = await current.handle(line)
            // The question may have been taken back while its answer was on its way.
            if isAnswer, waiting.first?.invitation == current.invitation { waiting.removeFirst() }
            if let next = waiting.first { try await report.ask(next.text) }
        }
    }
}
