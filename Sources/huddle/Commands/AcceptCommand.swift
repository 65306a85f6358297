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
    static let code = Argument(repeating: "CODE", .codeOrHalf, atLeast: 0, help: "the six digits that its screen shows")

    static let row = Command<CommandAction>(
        "accept",
        summary: "let in a peer that waits to be let in",
        discussion: """
            For invitations that `huddled`, or `huddle inbox` without a terminal, has taken. Give the code that the other \
            screen shows; on a terminal, without it, this one's is shown and you compare. It ends when the peer is in.
            """,
        arguments: [peer, code],
        options: [CallOptions.yes, CallOptions.once] + NodeOptions.keeping,
        examples: [
            Example("huddle accept Deck 482913", "with the code that Deck shows"),
            Example("huddle accept Deck", "compare the codes by eye"),
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
        let isForOnce = given[CallOptions.once]
        let typed = try await typedCode(given, invitation, report, signals)
        guard let typed else { return .interrupted }
        let answering = Answering(invitation, ledger)
        let outcome: Void? = try await unlessSignalled(signals) {
            try await answering.give(.accept(typedCode: typed.digits, always: !isForOnce))
        }
        guard outcome != nil else { return .interrupted }
        let tag = PeerTag(invitation.peer, invitation.name)
        // The one who let it in does so as well; this has been done by the time that this command ends.
        if !isForOnce { try await ledger.setPolicy(.accept, for: invitation.peer) }
        let rest = isForOnce ? "" : ", and comes in without a question from now on"
        try await report.tell(SessionNews("let-in", tag, "\(tag.full) is in\(rest)"))
        return .success
    }

    private struct Typed {
        let digits: String?
    }

    private static func wholeCode(_ parts: [String]) throws -> PairingCode? {
        guard !parts.isEmpty else { return nil }
        guard let code = PairingCode(typed: parts.joined()) else {
            throw CommandError(
                "command.no-code",
                "“\(PrintableText(parts.joined(separator: " "), limit: 80))” is not a code, which has six digits",
                nextStep: "copy all six digits from the other screen"
            )
        }
        return code
    }

    /// What proves that the codes were compared; nil where Ctrl-C ended the question.
    private static func typedCode(
        _ given: GivenValues,
        _ invitation: WaitingInvitation,
        _ report: SessionReport,
        _ signals: Signals
    ) async throws -> Typed? {
        guard let shown = invitation.code.flatMap({ PairingCode(typed: $0) }) else { return Typed(digits: nil) }
        if let code = try wholeCode(given[code]) { return Typed(digits: code.digits) }
        if given[CallOptions.yes] { return Typed(digits: nil) }
        guard Terminal.isInForeground else { throw HouseholdError.codeNeeded(from: given[peer]) }
        try await report.ask("Is \(shown) on the other screen? [y]es / [n]o, or type the code there: ")
        let line = try await unlessSignalled(signals) {
            var lines = TypedLines()
            return try await lines.next()
        }
        guard let line = line ?? nil else { return nil }
        await report.wasAnswered()
        switch PersonalAnswer(line) {
        case .yes, .once: return Typed(digits: nil)
        case .code(let code): return Typed(digits: code.digits)
        case .no, .block, .unclear:
            throw CommandError(
                "command.not-compared",
                "nothing was answered",
                nextStep: "say `huddle decline` to tell it no, or `huddle block` to tell it nothing ever"
            )
        }
    }
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
                    nextStep: "copy the six digits from the other screen"
                )
            }
            return text
        }
    }
}
