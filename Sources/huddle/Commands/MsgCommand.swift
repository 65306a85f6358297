import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle msg`: a message to a peer.
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
        options: CallOptions.meeting + AskingOptions.all,
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
                "there is nothing to send: no words, and nothing came on standard input",
                nextStep: "write the message behind the name, or pipe it in"
            )
        }
        var body = CallBody(given)
        body.carry(bytes)
        let question = ControlQuestion("POST", ["v1", "messages"], saying: body)
        let report = SessionReport(
            asJSON: given[LookingOptions.json],
            // A script that goes on knows by the exit code.
            silentAbout: console.isTerminal ? [] : ["sent"],
            console
        )
        let asks = CallOptions.asks(given, inputIsTaken: words.isEmpty)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            try await Conversation(with: daemon, report, asks: asks, isForOnce: given[CallOptions.once]).follow(
                question
            )
        }
        return code ?? .interrupted
    }

    private static let messageLimit = 1 << 20

    /// One byte more than a message can have is enough to know that it is too large. Nil where Ctrl-C came first.
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
