import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// Asks the daemon for something, prints what comes of it, and puts what a person has to decide before the one at this terminal.
@Engine
final class Conversation {
    private let daemon: ControlConnection
    private let report: SessionReport
    private let questions: Questions
    /// Whether somebody can be asked here.
    private let asks: Bool
    /// Whether a peer that is let in meanwhile is a question again the next time.
    private let isForOnce: Bool
    /// Whether that person's input has ended.
    private var isDeserted = false
    /// Whether the person wants another code, once that is asked.
    private let wantsNewCode = Resumption<Bool>()

    init(with daemon: ControlConnection, _ report: SessionReport, asks: Bool, isForOnce: Bool = false) {
        self.daemon = daemon
        self.report = report
        self.asks = asks
        self.isForOnce = isForOnce
        questions = Questions(report)
    }

    /// Follows the answer to its end.
    func follow(_ question: ControlQuestion) async throws -> ExitCode {
        do {
            return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
                defer { group.cancelAll() }
                if asks {
                    group.addTask {
                        try await self.questions.read()
                        await self.inputHasEnded()
                        return nil
                    }
                }
                group.addTask { try await self.hear(question) }
                while let code = try await group.next() {
                    if let code { return code }
                }
                return .failure
            }
        } catch {
            try? await questions.close()
            throw error
        }
    }

    private func hear(_ question: ControlQuestion) async throws -> ExitCode {
        do {
            return try await hearOnce(question)
        } catch let error as PassedOnError where error.because == .wrongCode {
            // Each code that is shown is a guess for a machine in between, so none is shown before the person here has read that this one was wrong.
            guard asks, !isDeserted, report.isForPerson, Terminal.isInForeground else { throw error }
            await report.complain(error.message)
            try await askForNewCode()
            guard try await wantsNewCode.valueUnlessCancelled() else { return .wrongCode }
            return try await hearOnce(question)
        }
    }

    private func askForNewCode() async throws {
        let text = "Show another code? [y]es / [n]o: "
        let question = Questions.Question(invitation: "another code", text: text) { [wantsNewCode] line in
            switch PersonalAnswer(line) {
            case .yes: wantsNewCode.resume(with: .success(true))
            case .no: wantsNewCode.resume(with: .success(false))
            case .once, .block, .code, .unclear: return false
            }
            return true
        }
        questions.expectAnswer(to: question)
        try await questions.show(question.invitation)
    }

    private func hearOnce(_ question: ControlQuestion) async throws -> ExitCode {
        let lines = try await daemon.news(question)
        while let news = try await lines.next() { try await take(news) }
        return lines.failure.map { ExitCode(of: $0) } ?? .success
    }

    private func take(_ news: SessionNews) async throws {
        switch news.event {
        case "invited": try await put(invitationQuestion(news), news)
        case "let-in", "invitation-over":
            try await questions.takeBack(news.invitation)
            try await report.tell(news)
        case "connected":
            // The peer may have been let in elsewhere, while the question for its code is still here.
            try await questions.close()
            try await report.tell(news)
        default: try await report.tell(news.withHint)
        }
    }

    /// An answer counts from the moment on in which the question is told.
    private func put(_ question: Questions.Question?, _ news: SessionNews) async throws {
        guard let question, asks, !isDeserted else {
            return try await report.tell(news.withHint)
        }
        questions.expectAnswer(to: question)
        try await report.tell(news)
        try await questions.show(question.invitation)
    }

    private func inputHasEnded() {
        isDeserted = true
        wantsNewCode.resume(with: .success(false))
    }

    // MARK: Somebody who asks to come in

    private func invitationQuestion(_ news: SessionNews) -> Questions.Question? {
        guard let invitation = news.invitation else { return nil }
        let needsCode = news.needsCode == true
        let text =
            needsCode
            ? "Type the code it shows (o CODE: this time only), or [n]o / [b]lock: "
            : "Let it in? [y]es, always / [o]nce / [n]o / [b]lock: "
        return Questions.Question(invitation: invitation, text: text) { [unowned self] line in
            guard let body = AnswerBody(PersonalAnswer(line), needsCode: needsCode, isForOnce: isForOnce) else {
                await report.complain(needsCode ? PersonalAnswer.noCode(line) : "type y, o, n or b")
                return false
            }
            await answer(["v1", "invitations", invitation], body)
            return true
        }
    }

    private func answer(_ path: [String], _ body: AnswerBody) async {
        do {
            try await daemon.perform(ControlQuestion("POST", path, saying: body))
        } catch {
            await report.report(error)
        }
    }
}

extension SessionNews {
    /// With what to do about it, where nobody is asked here.
    fileprivate var withHint: SessionNews {
        var news = self
        switch event {
        case "invited":
            let code = needsCode == true ? " CODE, with the code that it shows" : ""
            news.sentence = sentence.map { "\($0); answer with: huddle accept \(peer?.id.short ?? "")\(code)" }
        case "ready": news.sentence = sentence.map { "\($0); Ctrl-C ends" }
        default: break
        }
        return news
    }
}
