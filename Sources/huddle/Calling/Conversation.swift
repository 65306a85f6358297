import CommandTable
import Control
import Household
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Asks for something, prints what comes of it, and puts what a person has to decide before the one at this terminal.
@Engine
final class Conversation {
    private let asked: any ControlTarget
    private let report: SessionReport
    private let questions: Questions
    /// Whether somebody can be asked here.
    private let asks: Bool
    /// Whether that person's input has ended.
    private var isDeserted = false

    init(with asked: any ControlTarget, _ report: SessionReport, asks: Bool) {
        self.asked = asked
        self.report = report
        self.asks = asks
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
                        try await self.nobodyAnswersAnyMore()
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
        let lines = try await asked.news(question)
        while let news = try await lines.next() { try await take(news) }
        return lines.failure.map { ExitCode(of: $0) } ?? .success
    }

    private func take(_ news: SessionNews) async throws {
        switch news.event {
        case "code": try await put(codeQuestion(news), news)
        case "invited": try await put(invitationQuestion(news), news)
        case "let-in", "invitation-over":
            try await questions.takeBack(news.invitation)
            try await report.tell(news)
        default: try await report.tell(news.withHint)
        }
    }

    /// An answer counts from the moment on in which the question is told.
    private func put(_ question: Questions.Question?, _ news: SessionNews) async throws {
        guard let question, asks, !isDeserted else {
            try await report.tell(news.withHint)
            // Where nobody was to be asked, whoever goes there knows what to do without.
            if isDeserted, news.event == "code" { await answerCall(news.invitation, "withdraw") }
            return
        }
        questions.expectAnswer(to: question)
        try await report.tell(news)
        try await questions.show(question.invitation)
    }

    private func nobodyAnswersAnyMore() async throws {
        isDeserted = true
        for invitation in questions.calls { await answerCall(invitation, "withdraw") }
    }

    // MARK: A call from here

    private func codeQuestion(_ news: SessionNews) -> Questions.Question? {
        guard let invitation = news.invitation, let code = news.shownCode else { return nil }
        let text = "Is \(code) on the other screen? [y]es / [n]o, or type the code there: "
        return Questions.Question(invitation: invitation, isCall: true, text: text) { [unowned self] line in
            switch PersonalAnswer(line) {
            case .yes, .once: await answerCall(invitation, "confirm")
            case .code(let code): await answerCall(invitation, "confirm", code)
            case .no: await answerCall(invitation, "withdraw")
            case .block, .unclear: return false
            }
            return true
        }
    }

    private func answerCall(_ invitation: String?, _ word: String, _ code: PairingCode? = nil) async {
        await answer(["v1", "calls", invitation ?? ""], AnswerBody(answer: word, code: code?.digits))
    }

    // MARK: Somebody who asks to come in

    private func invitationQuestion(_ news: SessionNews) -> Questions.Question? {
        guard let invitation = news.invitation else { return nil }
        let choices = "[y]es, always / [o]nce / [n]o / [b]lock"
        let text = news.shownCode.map { "Is \($0) on its screen? \(choices), or type its code: " }
        return Questions.Question(invitation: invitation, isCall: false, text: text ?? "Let it in? \(choices): ") {
            [unowned self] line in
            guard let body = AnswerBody(PersonalAnswer(line), hasCode: news.code != nil) else { return false }
            await answer(["v1", "invitations", invitation], body)
            return true
        }
    }

    private func answer(_ path: [String], _ body: AnswerBody) async {
        do {
            try await asked.perform(ControlQuestion("POST", path, saying: body))
        } catch {
            await report.complain("\(error)")
        }
    }
}

/// What a person said, as it is passed on.
private struct AnswerBody: JSONShape {
    let answer: String
    var code: String?
    var always: Bool?

    var fields: JSONFields {
        var fields = JSONFields()
        fields.set("answer", answer)
        fields.set("code", code)
        fields.set("always", always)
        return fields
    }
}

extension AnswerBody {
    init?(_ said: PersonalAnswer, hasCode: Bool) {
        switch said {
        case .yes: self.init(answer: "accept", always: true)
        case .once: self.init(answer: "accept")
        case .code(let code) where hasCode: self.init(answer: "accept", code: code.digits, always: true)
        case .no: self.init(answer: "decline")
        case .block: self.init(answer: "block")
        case .code, .unclear: return nil
        }
    }
}

extension SessionNews {
    /// The code as screens show it.
    fileprivate var shownCode: PairingCode? { code.flatMap { PairingCode(typed: $0) } }

    /// With what to do about it, where nobody is asked here.
    fileprivate var withHint: SessionNews {
        var news = self
        switch event {
        case "invited":
            let code = shownCode.map { " CODE, where its screen must show \($0)" } ?? ""
            news.sentence = sentence.map { "\($0); answer with: huddle accept \(peer?.id.short ?? "")\(code)" }
        case "ready" where path != nil: news.sentence = sentence.map { "\($0); Ctrl-C ends" }
        default: break
        }
        return news
    }
}
