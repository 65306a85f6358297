import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle msg`: send a message to another machine.
enum MsgCommand {
    static let text = Argument(
        repeating: "TEXT",
        .text,
        atLeast: 0,
        help: "the message (default: standard input, up to 1 MiB)"
    )

    static let row = Command<CommandAction>(
        "msg",
        summary: "send a message to another machine",
        discussion: "The other machine needs `huddled` running. The command ends once the message is there.",
        arguments: [CallOptions.peer, text],
        options: CallOptions.pairing + AskingOptions.all,
        examples: [
            Example("huddle msg Deck dinner is ready", "a text"),
            Example("df -h | huddle msg Deck", "the output of a program"),
        ],
        exitCodes: ExitCode.calling,
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let words = given[text]
        let bytes = words.isEmpty ? try await wholeInput(signals) : Array(words.joined(separator: " ").utf8)
        guard let bytes else { return .interrupted }
        guard !bytes.isEmpty else {
            throw CommandError(
                ErrorCode(.invalid, "command.no-message"),
                "there is nothing to send: the command has no words, and standard input is empty",
                nextStep: "write the message behind the name, or pipe it in"
            )
        }
        var body = CallBody(given)
        body.carry(bytes)
        let request = Endpoint.sendMessage.request(saying: body)
        let report = SessionReport(
            asJSON: given[LookingOptions.json],
            // A script learns the outcome from the exit code.
            silentAbout: console.isTerminal ? [] : ["sent"],
            console
        )
        let canAsk = CallOptions.canAsk(given, inputIsTaken: words.isEmpty)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            try await Conversation(with: daemon, report, canAsk: canAsk, isForOnce: given[CallOptions.once]).follow(
                request
            )
        }
        return code ?? .interrupted
    }

    private static let messageLimit = 1 << 20

    /// Reads standard input up to one byte above the limit, which is enough to know that a message is too large. nil
    /// after Ctrl-C.
    private static func wholeInput(_ signals: Signals) async throws -> [UInt8]? {
        try await unlessSignalled(signals) {
            var bytes: [UInt8] = []
            while bytes.count <= messageLimit {
                let more = try await InputBytes.next(upTo: 65_536)
                if more.isEmpty { break }
                bytes += more
            }
            return bytes
        }
    }
}
