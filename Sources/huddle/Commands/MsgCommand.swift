import CommandTable
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// `huddle msg`: a message to a peer.
enum MsgCommand {
    static let text = Argument(
        repeating: "TEXT",
        .text,
        atLeast: 0,
        help: "what to say; without it, what comes on standard input, up to 1 MiB"
    )

    static let row = Command<CommandAction>(
        "msg",
        summary: "send a message to another machine",
        discussion: "The other side needs `huddle inbox` running. It ends when the message is there.",
        arguments: [CallOptions.peer, text],
        options: CallOptions.meeting + NodeOptions.calling,
        examples: [
            Example("huddle msg Deck dinner is ready", "words"),
            Example("df -h | huddle msg Deck", "what a program says"),
        ],
        exitCodes: ExitCode.calling,
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let words = given[text]
        let answer = CodeAnswer(given, inputIsTaken: words.isEmpty)
        let code = try await NodeHost.run(.calling, given, console, signals) { node in
            let bytes = words.isEmpty ? try await wholeInput() : Array(words.joined(separator: " ").utf8)
            let session = node.session(SessionConfiguration(name: .chat, topology: .star))
            let caller = Caller(node, report, session, given, answer)
            return try await caller.run {
                let peer = try await caller.connect(given[CallOptions.peer], wait: given[CallOptions.wait])
                try await session.send(bytes)
                try await session.delivered()
                let sentence = console.isTerminal ? "\(peer) has it" : nil
                try await report.tell(SessionNews("sent", peer, sentence) { $0.bytes = UInt64(bytes.count) })
                return .success
            }
        }
        return code ?? .interrupted
    }

    /// One byte more than a message can have is enough to know that it is too large.
    private static func wholeInput() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= 1 << 20 {
            let more = try await InputBytes.next(upTo: 65_536)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}
