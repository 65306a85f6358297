import CommandTable
import Household
import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// `huddle accept`: let somebody in who waits at `huddle inbox`.
enum AcceptCommand {
    static let peer = Argument("PEER", .text.named("PEER"), help: "its name, or the beginning of its id")
    // Screens show it in two halves, and so it is typed.
    static let code = Argument(repeating: "CODE", .codeOrHalf, atLeast: 0, help: "the six digits that it shows")

    static let row = Command<CommandAction>(
        "accept",
        summary: "let in a peer that waits to be let in",
        discussion: """
            For invitations that `huddled`, or `huddle inbox` without a terminal, has taken. Give the code that the other machine \
            shows; on a terminal it asks for the code. It ends when the peer is in. A wrong code ends the invitation: the other \
            machine then has to show a new code. On a terminal this command waits for that one, once.
            """,
        arguments: [peer, code],
        options: [CallOptions.yes, CallOptions.once] + NodeOptions.keeping,
        examples: [
            Example("huddle accept Deck 482913", "with the code that Deck shows"),
            Example("huddle accept Deck", "be asked for the code"),
        ],
        exitCodes: [
            .success, .failure, .usage, .unreachable, .timedOut, .declined, .wrongCode, .lockedOut, .lost,
            .personNeeded,
            .interrupted,
        ],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let ledger = try await StateFolder.ledger(given)
        guard let invitation = try await Acquaintances(ledger).invitation(from: given[peer]) else {
            throw HouseholdError.nothingWaits(given[peer])
        }
        let answering = Answering(invitation, ledger)
        do {
            return try await letIn(answering, given[code], given, report, signals)
        } catch let error as SessionError where error.reason == .wrongCode {
            guard report.isForPerson, Terminal.isInForeground else { throw error }
            let tag = PeerTag(invitation.peer, invitation.name)
            await report.complain("\(error.message); waiting for another code of \(tag): say y there, or invite again")
        }
        let next = try await unlessSignalled(signals) { try await answering.next(within: newCodePatience) }
        guard let next else { return .interrupted }
        return try await letIn(Answering(next, ledger), [], given, report, signals)
    }

    /// As long as an invitation waits for its code.
    private static let newCodePatience: Duration = .seconds(120)
    /// What comes at once needs no line that says what is waited for.
    private static let silence: Duration = .seconds(1)

    private static func letIn(
        _ answering: Answering,
        _ parts: [String],
        _ given: GivenValues,
        _ report: SessionReport,
        _ signals: Signals
    ) async throws -> ExitCode {
        let invitation = answering.invitation
        let tag = PeerTag(invitation.peer, invitation.name)
        let typed = try await typedCode(parts, given, answering, report, signals)
        guard let typed else { return .interrupted }
        let isForOnce = given[CallOptions.once] || typed.isForOnce
        let outcome: Void? = try await unlessSignalled(signals) {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    try await EventLoop.shared.sleep(for: silence)
                    let limit = TimeText.local(invitation.patienceUntil)
                    try await report.tell(
                        SessionNews("waiting", tag, "Waiting for \(tag) to confirm, until \(limit).")
                    )
                    return false
                }
                group.addTask {
                    try await answering.give(.accept(typedCode: typed.digits, always: !isForOnce))
                    return true
                }
                while try await group.next() == false {}
            }
        }
        guard outcome != nil else { return .interrupted }
        // The one who let it in does so as well; this has been done by the time that this command ends.
        if !isForOnce { try await StateFolder.ledger(given).setPolicy(.accept, for: invitation.peer) }
        let rest = isForOnce ? "" : ", and comes in without a question from now on"
        try await report.tell(SessionNews("let-in", tag, "\(tag.full) is in\(rest)"))
        return .success
    }

    private struct Typed {
        var digits: String?
        var isForOnce = false
    }

    private static func wholeCode(_ parts: [String]) throws -> PairingCode? {
        guard !parts.isEmpty else { return nil }
        guard let code = PairingCode(typed: parts.joined()) else {
            throw CommandError(
                "command.no-code",
                "“\(PrintableText(parts.joined(separator: " "), limit: 80))” is not a code, which has six digits",
                nextStep: "copy all six digits from the other machine"
            )
        }
        return code
    }

    /// The code that the person typed; nil where Ctrl-C ended the question.
    private static func typedCode(
        _ parts: [String],
        _ given: GivenValues,
        _ answering: Answering,
        _ report: SessionReport,
        _ signals: Signals
    ) async throws -> Typed? {
        let invitation = answering.invitation
        guard invitation.codeNeed != .none else { return Typed() }
        if let code = try wholeCode(parts) { return Typed(digits: code.digits) }
        if given[CallOptions.yes] {
            guard PeerWords.name(given[peer], keyOf: invitation.peer) else {
                throw HouseholdError.idNeeded(given[peer])
            }
            guard invitation.codeNeed == .here else { throw SessionError.codeWanted }
            return Typed()
        }
        guard Terminal.isInForeground else { throw HouseholdError.codeNeeded(from: given[peer]) }
        let name = PeerTag(invitation.peer, invitation.name)
        return try await unlessSignalled(signals) {
            try await withThrowingTaskGroup(of: Typed?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await ask(of: name, report) }
                // A code that the person types after the end would be for nothing.
                group.addTask {
                    let reason = try await answering.end()
                    try await report.ask(nil)
                    throw reason
                }
                return try await group.next() ?? nil
            }
        } ?? nil
    }

    private static func ask(of name: PeerTag, _ report: SessionReport) async throws -> Typed? {
        var lines = TypedLines()
        while true {
            try await report.ask("Type the code that \(name.full) shows, or [n]o: ")
            guard let line = try await lines.next() else { return nil }
            await report.wasAnswered()
            switch PersonalAnswer(line) {
            case .code(let code, let isForOnce): return Typed(digits: code.digits, isForOnce: isForOnce)
            case .no, .block: throw unanswered
            case .yes, .once, .unclear: await report.complain(PersonalAnswer.noCode(line))
            }
        }
    }

    private static let unanswered = CommandError(
        "command.no-code",
        "nothing was answered",
        nextStep: "say `huddle decline` to tell it no, or `huddle block` to tell it nothing ever"
    )
}

extension ValueForm where Value == String {
    /// Six digits, or three of them.
    static var codeOrHalf: ValueForm {
        ValueForm(placeholder: "CODE", like: "482913 or 482 913", write: \.self) { text in
            let isHalf = text.utf8.count == 3 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard isHalf || PairingCode(typed: text) != nil else {
                throw BadValue(
                    text,
                    isNot: "a code",
                    because: "it must be six digits",
                    nextStep: "copy the six digits from the other machine"
                )
            }
            return text
        }
    }
}
