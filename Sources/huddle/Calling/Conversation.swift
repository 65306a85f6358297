import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// One request to the daemon. Prints the events of the response, and puts its questions to the user at this terminal.
@Engine
final class Conversation {
    private let daemon: ControlConnection
    private let report: SessionReport
    private let questions: Questions
    /// True if a user at this terminal can answer questions.
    private let canAsk: Bool
    /// True to trust a machine this time only if the user accepts it meanwhile.
    private let isForOnce: Bool
    /// True once standard input has ended, so that no question can be answered.
    private var isInputAtEnd = false
    /// The user's answer to the question about another code.
    private let wantsNewCode = Resumption<Bool>()

    init(with daemon: ControlConnection, _ report: SessionReport, canAsk: Bool, isForOnce: Bool = false) {
        self.daemon = daemon
        self.report = report
        self.canAsk = canAsk
        self.isForOnce = isForOnce
        questions = Questions(report)
    }

    /// Sends the request, and reads the response to its end.
    func follow(_ question: APIRequest) async throws -> ExitCode {
        do {
            return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
                defer { group.cancelAll() }
                if canAsk {
                    group.addTask {
                        try await self.questions.read()
                        await self.inputHasEnded()
                        return nil
                    }
                }
                group.addTask { try await self.read(question) }
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

    private func read(_ question: APIRequest) async throws -> ExitCode {
        do {
            return try await readOnce(question)
        } catch let error as PassedOnError where error.because == .wrongCode {
            // Each code that is shown gives a machine in the middle one more guess. So the next code waits until the
            // user has read that the last one was wrong.
            guard canAsk, !isInputAtEnd, report.isForUser, Terminal.isInForeground else { throw error }
            await report.complain(error.message)
            try await askForNewCode()
            guard try await wantsNewCode.valueUnlessCancelled() else { return .wrongCode }
            return try await readOnce(question)
        }
    }

    private func askForNewCode() async throws {
        let text = "Show another code? [y]es / [n]o: "
        let question = Questions.Question(invitation: "another code", text: text) { [wantsNewCode] line in
            switch UserAnswer(line) {
            case .yes: wantsNewCode.resume(with: .success(true))
            case .no: wantsNewCode.resume(with: .success(false))
            case .once, .block, .code, .unclear: return false
            }
            return true
        }
        questions.expectAnswer(to: question)
        try await questions.show(question.invitation)
    }

    private func readOnce(_ question: APIRequest) async throws -> ExitCode {
        let lines = try await daemon.events(question)
        while let line = try await lines.next() { try await handle(line) }
        return lines.failure.map { ExitCode(of: $0) } ?? .success
    }

    private func handle(_ line: DaemonLine) async throws {
        switch line.event {
        case .invitation(let invitation): try await ask(question(about: invitation), line)
        case .accepted(let event):
            try await questions.takeBack(event.invitation)
            try await report.tell(line)
        case .invitationEnded(let event):
            try await questions.takeBack(event.invitation)
            try await report.tell(line)
        case .machineEvent(let event) where event.kind == .connected:
            // Another program may have accepted the peer while this terminal still asks for its code.
            try await questions.close()
            try await report.tell(line)
        default: try await report.tell(line.withHint)
        }
    }

    /// Shows a question. It is registered before it is printed, so that a quick answer is not lost.
    private func ask(_ question: Questions.Question, _ line: DaemonLine) async throws {
        guard canAsk, !isInputAtEnd else {
            return try await report.tell(line.withHint)
        }
        questions.expectAnswer(to: question)
        try await report.tell(line)
        try await questions.show(question.invitation)
    }

    private func inputHasEnded() {
        isInputAtEnd = true
        wantsNewCode.resume(with: .success(false))
    }

    // MARK: Invitations

    private func question(about asking: InvitationEvent) -> Questions.Question {
        let (invitation, needsCode) = (asking.invitation, asking.needsCode)
        let text =
            needsCode
            ? "Type the code it shows (o CODE: this time only), or [n]o / [b]lock: "
            : "Pair with it? [y]es, always / [o]nce / [n]o / [b]lock: "
        return Questions.Question(invitation: invitation, text: text) { [unowned self] line in
            guard let body = AnswerBody(UserAnswer(line), needsCode: needsCode, isForOnce: isForOnce) else {
                await report.complain(needsCode ? UserAnswer.noCode(line) : "type y, o, n or b")
                return false
            }
            await answer(invitation, body)
            return true
        }
    }

    private func answer(_ invitation: String, _ body: AnswerBody) async {
        do {
            try await daemon.perform(Endpoint.answerInvitation.request(invitation, saying: body))
        } catch {
            await report.report(error)
        }
    }
}

extension DaemonLine {
    /// The event, with the command to type added, for a terminal that asks no questions.
    fileprivate var withHint: DaemonLine {
        var line = self
        switch event {
        case .invitation(let asking):
            let code = asking.needsCode ? " CODE, with the code that it shows" : ""
            line.sentence = sentence.map { "\($0); answer with: huddle accept \(asking.machine.id.short)\(code)" }
        case .ready: line.sentence = sentence.map { "\($0); Ctrl-C ends" }
        default: break
        }
        return line
    }
}
