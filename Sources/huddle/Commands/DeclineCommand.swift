import CommandTable
import Control
import Household
import LinuxPlatform

/// `huddle decline`: decline a machine that asks to pair.
enum DeclineCommand {
    static let row = Command<CommandAction>(
        "decline",
        summary: "decline a machine that asks to pair",
        discussion: "The machine may ask again. After `huddle block` it gets no answer.",
        arguments: [AcceptCommand.peer],
        options: AskingOptions.all,
        examples: [Example("huddle decline Deck", "not now")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let waiting = try await WaitingPeer(given[AcceptCommand.peer], at: daemon)
            let request = Endpoint.answerInvitation.request(waiting.invitation, saying: AnswerBody(answer: "decline"))
            try await daemon.perform(request)
            let peer = waiting.peer
            try await report.tell(DaemonLine.machine(.declined, peer, "\(peer.full) was declined"))
            return .success
        }
        return code ?? .interrupted
    }
}
