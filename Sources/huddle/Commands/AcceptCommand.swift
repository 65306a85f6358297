import CommandTable
import LinuxPlatform
import SessionRules
import Vocabulary

/// `huddle accept`: accept a machine that asks to pair.
enum AcceptCommand {
    static let peer = Argument("PEER", .text.named("PEER"), help: "the machine's name, or the beginning of its id")
    // Screens show the code in two halves, so users type it as two words.
    static let code = Argument(
        repeating: "CODE",
        .codeOrHalf,
        atLeast: 0,
        help: "the six digits that the machine shows"
    )

    static let row = Command<CommandAction>(
        "accept",
        summary: "accept a machine that asks to pair",
        discussion: """
            Give the code that the other machine shows; on a terminal the command asks for it. It ends once both are \
            paired. A wrong code ends the invitation, and the other machine shows a new code. On a terminal the \
            command waits for that one, once.
            """,
        arguments: [peer, code],
        options: [CallOptions.yes, CallOptions.once] + AskingOptions.all,
        examples: [
            Example("huddle accept Deck 482913", "with the code that Deck shows"),
            Example("huddle accept Deck", "asks for the code"),
        ],
        exitCodes: [
            .success, .failure, .usage, .unreachable, .timedOut, .declined, .wrongCode, .lockedOut, .lost,
            .userNeeded, .noDaemon, .interrupted,
        ],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let choice = InvitationAcceptance.Choice(
                peer: given[Self.peer],
                code: given[Self.code],
                isWithoutCode: given[CallOptions.yes],
                isForOnce: given[CallOptions.once]
            )
            return try await InvitationAcceptance(at: daemon, StateFolder.socket(given), choice, report).run()
        }
        return code ?? .interrupted
    }
}

extension ValueForm where Value == String {
    /// The form of six digits, or of three of them.
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
